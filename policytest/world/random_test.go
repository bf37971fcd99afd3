package world_test

import (
	"context"
	"slices"
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
	})
}

// codesOfWorlds are the codes that a ledger can lead to.
var codesOfWorlds = []string{
	"audience_covers_viewers", "public", "tenant_wide", "label_source",
	"agent_not_authorized", "audience_missing", "audience_not_recorded", "confidential_from_other_agent",
	"derived_without_sources", "expired", "external_viewer", "foreign_directive", "item_not_live", "malformed", "revoked",
	"source_audience_narrower", "source_not_live", "tenant_mismatch", "unattributed", "unknown_field",
	"unshared_from_other_agent", "viewer_not_in_audience", "viewers_ambiguous",
	"evidence_disagrees", "evidence_incomplete", "evidence_stale", "external_not_viewer", "viewer_placeholder",
	"viewers_empty", "viewers_missing", "viewers_not_authenticated",
}

// TestRandomWorldsReachEveryCode counts the worlds that lead to each code, among worlds that are the
// same in every run. What no world shows, the test above does not compare.
func TestRandomWorldsReachEveryCode(t *testing.T) {
	const (
		worlds = 1000
		least  = 3
		covers = 150 // worlds that admit what everybody who listens heard
	)
	counts := map[string]int{}
	drawn := rapid.Custom(drawWorld)
	for seed := range worlds {
		w := drawn.Example(seed)
		codes := map[string]bool{}
		for _, code := range w.Doubts() {
			codes[code] = true
		}
		for _, r := range w.Expect() {
			for _, code := range slices.Concat(r.Reasons, r.Obligations) {
				codes[code] = true
			}
		}
		for code := range codes {
			counts[code]++
		}
	}
	t.Logf("of %d worlds: %v", worlds, counts)
	if counts["audience_covers_viewers"] < covers {
		t.Errorf("%d worlds admit what those who listen heard, want at least %d", counts["audience_covers_viewers"], covers)
	}
	for _, code := range codesOfWorlds {
		if counts[code] < least {
			t.Errorf("%d worlds lead to %s, want at least %d", counts[code], code, least)
		}
		delete(counts, code)
	}
	if len(counts) > 0 {
		t.Errorf("the list of codes lacks %v", counts)
	}
}
