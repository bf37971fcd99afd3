package policytest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
)

// newPoint returns a decision point with the shipped policy.
func newPoint(t *testing.T, recorder policy.Recorder) *policy.Point {
	t.Helper()
	engine, err := policytest.NewPolicy(policy.EmbeddedFS()).Engine(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return pointOf(t, engine, recorder)
}

// pointOf returns a decision point with an engine.
func pointOf(t *testing.T, engine *policy.Engine, recorder policy.Recorder) *policy.Point {
	t.Helper()
	point, err := policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: recorder,
		Clock:    func() time.Time { return now },
		NewID:    func() (string, error) { return "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

// recorderFunc is a Recorder from a function.
type recorderFunc func(*policy.Entry) error

// Record implements policy.Recorder.
func (f recorderFunc) Record(_ context.Context, e *policy.Entry) (policy.Position, error) {
	return policy.Position{}, f(e)
}

func recordNothing(*policy.Entry) error { return nil }

// oneItem is a request whose one candidate is admitted.
func oneItem() policy.Request {
	return policy.Request{
		Turn: policy.Turn{Attempt: 1, Agent: "agent:scribe", Viewers: []string{"user:ann"}, ViewersBasis: policy.BasisPlatform},
		Candidates: []policy.Candidate{{
			ID: "m1", Audience: policy.Principals("user:ann"), AudienceBasis: policy.BasisRecorded,
			Agent: "agent:scribe", Kind: policy.KindFact, State: policy.StateLive,
			Digest: "sha256:" + strings.Repeat("0", 64),
		}},
	}
}

// TestTheEmptyAdmissionAdmitsNothing holds what the compiler cannot forbid, the zero value.
func TestTheEmptyAdmissionAdmitsNothing(t *testing.T) {
	var zero policy.Admitted
	for name, point := range map[string]*policy.Point{"no point": nil, "a point": newPoint(t, recorderFunc(recordNothing)), "the zero point": {}} {
		if zero.Valid(point) {
			t.Errorf("the zero value is valid for %s", name)
		}
	}
	if zero.ItemID() != "" || zero.DecisionID() != "" || zero.ContentDigest() != "" || zero.ViewersDigest() != "" ||
		!zero.DecidedAt().IsZero() || zero.Obligations() != nil {
		t.Errorf("the zero value speaks of something: %+v", zero)
	}
}

// TestAnAdmissionBelongsToItsPoint holds two decision points apart that decide alike.
func TestAnAdmissionBelongsToItsPoint(t *testing.T) {
	one, other := newPoint(t, recorderFunc(recordNothing)), newPoint(t, recorderFunc(recordNothing))
	decision, err := one.Decide(t.Context(), oneItem())
	if err != nil {
		t.Fatal(err)
	}
	admitted := decision.Admitted()
	if len(admitted) != 1 {
		t.Fatalf("%d items are admitted, want 1: %+v", len(admitted), decision.Results)
	}
	if !admitted[0].Valid(one) {
		t.Error("the admission is not valid for the point that made it")
	}
	if admitted[0].Valid(other) {
		t.Error("the admission is valid for another point")
	}
}

// TestNothingIsAdmittedWithoutARecord lets the recorder fail.
func TestNothingIsAdmittedWithoutARecord(t *testing.T) {
	full := errors.New("no space left")
	decision, err := newPoint(t, recorderFunc(func(*policy.Entry) error { return full })).Decide(t.Context(), oneItem())
	if decision != nil {
		t.Errorf("a decision came back: %+v", decision)
	}
	if !errors.Is(err, policy.ErrNotRecorded) || !errors.Is(err, full) {
		t.Errorf("the error is %v, want policy.ErrNotRecorded with its cause", err)
	}
}

// TestAnAdmissionDoesNotFollowItsDecision changes what a caller can change in a decision. The
// admission still speaks of what was decided and recorded.
func TestAnAdmissionDoesNotFollowItsDecision(t *testing.T) {
	point := newPoint(t, recorderFunc(recordNothing))
	decision, err := point.Decide(t.Context(), oneItem())
	if err != nil {
		t.Fatal(err)
	}
	type said struct {
		Item, Content, Viewers, Decision string
		At                               time.Time
		Obligations                      []string
	}
	read := func(a policy.Admitted) said {
		return said{a.ItemID(), a.ContentDigest(), a.ViewersDigest(), a.DecisionID(), a.DecidedAt(), a.Obligations()}
	}
	admitted := decision.Admitted()[0]
	before := read(admitted)

	decision.ID = "another decision"
	decision.At = decision.At.Add(time.Hour)
	decision.Viewers.Digest = policy.ViewersDigest([]string{"user:ben"})
	decision.Request.Candidates[0].ID = "m2"
	decision.Request.Candidates[0].Digest = "sha256:" + strings.Repeat("f", 64)
	decision.Results[0].Obligations = []string{"none"}

	if diff := cmp.Diff(before, read(admitted)); diff != "" {
		t.Errorf("the admission follows a change of the decision (-decided +changed):\n%s", diff)
	}
	if diff := cmp.Diff(before, read(decision.Admitted()[0])); diff != "" {
		t.Errorf("the decision gives another admission after a change (-decided +changed):\n%s", diff)
	}
}
