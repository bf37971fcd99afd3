package policytest_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/policytest"
)

// repeated: the same question at the same instant has the same answer.
func repeated(t *rapid.T) claim {
	q := anyQuestion(t)
	return func(ctx context.Context, decide policytest.Decider) error {
		first, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		second, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		return same([]question{q}, first, second)
	}
}

// madeAgain: what the decision log gives back of a decision is enough to make it again. A Point
// decides and records in a real log; the Decider is asked what the log has on record, and must come
// to the recorded answer.
func madeAgain(t *testing.T, shipped *policytest.Policy) func(*rapid.T) claim {
	t.Helper()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	var count atomic.Int64
	return func(rt *rapid.T) claim {
		q := anyQuestion(rt)
		return func(ctx context.Context, decide policytest.Decider) error {
			id := fmt.Sprintf("decision-%d", count.Add(1))
			decision, err := shipped.Record(ctx, log, id, q.Now, q.Settings, q.Facts, q.Request)
			if err != nil {
				return fmt.Errorf("%w\n%v", err, q)
			}
			record, err := log.Get(ctx, id)
			if err != nil {
				return fmt.Errorf("%w\n%v", err, q)
			}
			for i := range record.Request.Candidates {
				nest(record.Request.Candidates[i].Sources)
			}
			past := question{Now: record.At, Settings: q.Settings, Facts: record.Facts, Request: record.Request}
			got, err := past.decide(ctx, decide)
			if err != nil {
				return err
			}
			return same([]question{q, past}, policytest.AnswerOf(&decision.Entry), got)
		}
	}
}

// nest puts flattened sources into a form that can be asked again. A source that left its audience
// to its own sources stands right before the first of them, and lost its hold on them; asked as it
// is, it would be for nobody. It gets that source back, which is then there twice and counts once.
func nest(flat []policy.Source) {
	for i := len(flat) - 2; i >= 0; i-- {
		if flat[i].Audience.Kind == policy.AudienceInherited {
			flat[i].Sources = flat[i+1 : i+2]
		}
	}
}
