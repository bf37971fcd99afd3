package world_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest/world"
	"earshot/server/wire"
)

// now is the moment of every turn in these tests.
var now = time.Date(2026, 11, 30, 20, 0, 1, 0, time.UTC)

// kept is a Recorder that keeps nothing.
type kept struct{}

// Record implements policy.Recorder.
func (kept) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

func newPoint(t testing.TB) *policy.Point {
	t.Helper()
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.NewEngine(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: kept{}, Clock: func() time.Time { return now },
		NewID: func() (string, error) { return "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

// answer is what the decision point says of a world, in the form of the ledger's expectation.
type answer struct {
	Doubts  []string
	Results []world.Expected
}

func decide(ctx context.Context, point *policy.Point, w *world.World) (answer, error) {
	body, err := w.Body()
	if err != nil {
		return answer{}, err
	}
	request, err := wire.DecodeDecision(body, wire.DefaultLimits())
	if err != nil {
		return answer{}, err
	}
	decision, err := point.Decide(ctx, request)
	if err != nil {
		return answer{}, err
	}
	out := answer{Doubts: decision.Viewers.Reasons}
	for _, r := range decision.Results {
		out.Results = append(out.Results, world.Expected(r))
	}
	return out, nil
}

// TestLedgerAndPointAgree tells random stories. The decision point reads the labels, the ledger
// reads who came and went, and both say the same of every item, for the same reasons.
func TestLedgerAndPointAgree(t *testing.T) {
	point := newPoint(t)
	admitted, denied := map[string]int{}, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		got, err := decide(t.Context(), point, w)
		if err != nil {
			rt.Fatal(err)
		}
		want := answer{Doubts: w.Doubts(), Results: w.Expect()}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("the decision point differs from the ledger (-ledger +point):\n%s", diff)
		}
		for _, r := range want.Results {
			count := denied
			if r.Admit {
				count = admitted
			}
			for _, code := range r.Reasons {
				count[code]++
			}
		}
	})
	t.Logf("admitted: %v", admitted)
	t.Logf("denied: %v", denied)
	if len(admitted) == 0 || len(denied) == 0 {
		t.Error("the random worlds are too poor to prove anything")
	}
}
