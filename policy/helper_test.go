package policy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"earshot/policy"
)

// memory is a Recorder that keeps entries, or fails with err.
type memory struct {
	entries []*policy.Entry
	err     error
	during  func(context.Context)
}

func (m *memory) Record(ctx context.Context, e *policy.Entry) (policy.Position, error) {
	if m.during != nil {
		m.during(ctx)
	}
	if m.err != nil {
		return policy.Position{}, m.err
	}
	m.entries = append(m.entries, e)
	return policy.Position{Index: uint64(len(m.entries) - 1)}, nil
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newPoint(t testing.TB, b *policy.Bundle, r policy.Recorder) *policy.Point {
	t.Helper()
	engine, err := policy.NewEngine(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: r,
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "00000000-0000-7000-8000-000000000000", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

func embedded(t *testing.T) *policy.Bundle {
	t.Helper()
	b, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// turn is scribe's turn before these viewers.
func turn(viewers ...string) policy.Turn {
	return policy.Turn{Agent: "agent:scribe", Attempt: 1, Viewers: viewers, ViewersBasis: policy.BasisPlatform}
}

// item is scribe's own live fact with this audience.
func item(id string, a policy.Audience) policy.Candidate {
	return policy.Candidate{
		ID: id, Audience: a, AudienceBasis: policy.BasisRecorded, Agent: "agent:scribe",
		Kind: policy.KindFact, State: policy.StateLive,
	}
}

func decide(t *testing.T, p *policy.Point, turn policy.Turn, candidates ...policy.Candidate) *policy.Decision {
	t.Helper()
	d, err := p.Decide(t.Context(), policy.Request{Turn: turn, Candidates: candidates})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// recorder is a Recorder that does something to each entry.
type recorder func(*policy.Entry)

func (r recorder) Record(_ context.Context, e *policy.Entry) (policy.Position, error) {
	r(e)
	return policy.Position{}, nil
}

// replacedOnce returns text with what stands in it exactly once replaced.
func replacedOnce(t *testing.T, text, old, new string) string {
	t.Helper()
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%q is there %d times", old, n)
	}
	return strings.Replace(text, old, new, 1)
}
