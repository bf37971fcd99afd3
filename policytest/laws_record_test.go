package policytest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// repeated: the same question at the same instant has the same answer, whatever was asked in between.
func repeated(t *rapid.T) claim {
	q := anyQuestion(t)
	return alike(q, q, anyQuestion(t), anyQuestion(t))
}

// TestAFreshEngineAnswersAlike asks one engine many questions, and another, compiled anew, the same
// ones from the last to the first: an answer is a function of the input, the clock and the revision,
// and of nothing that was asked before.
func TestAFreshEngineAnswersAlike(t *testing.T) {
	questions := make([]question, 200)
	for seed := range questions {
		questions[seed] = rapid.Custom(anyQuestion).Example(seed)
	}
	compiled := func() policytest.Decider { return policytest.NewPolicy(policy.EmbeddedFS()).Decide }
	if err := backwardsAlike(t.Context(), questions, compiled); err != nil {
		t.Error(err)
	}
	remembers := func() policytest.Decider { return moody(policytest.Plain) }
	if err := backwardsAlike(t.Context(), questions, remembers); !errors.Is(err, errBroken) {
		t.Errorf("a Decider that remembers: %v, want an error that matches errBroken", err)
	}
}

// backwardsAlike asks two new Deciders the same questions, the second one backwards, and returns an
// error where they differ.
func backwardsAlike(ctx context.Context, questions []question, fresh func() policytest.Decider) error {
	answers := make([]reading.Answer, len(questions))
	decide := fresh()
	for i, q := range questions {
		var err error
		if answers[i], err = q.decide(ctx, decide); err != nil {
			return err
		}
	}
	decide = fresh()
	for i, q := range slices.Backward(questions) {
		answer, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		if err := same([]question{q}, answers[i], answer); err != nil {
			return err
		}
	}
	return nil
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
