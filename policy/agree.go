package policy

import (
	"context"
	"fmt"
	"slices"
)

const (
	// probeTurns and probeCandidates are how many questions both tiers are asked before closures are
	// used.
	probeTurns      = 100
	probeCandidates = 5

	probeSeed = 42617
)

// agree asks two evaluators the same turns about so many candidates each, and returns an error that
// shows the first on which they differ.
func agree(ctx context.Context, a, b evaluator, p *prober, turns, candidates int) error {
	for range turns {
		one, err := p.entry(candidates)
		if err != nil {
			return fmt.Errorf("make up a question: %w", err)
		}
		if err := agreeOn(ctx, a, b, one); err != nil {
			return err
		}
	}
	return nil
}

// agreeOn compares what two evaluators say of an entry in normal form, which stays as it is.
func agreeOn(ctx context.Context, a, b evaluator, asked *Entry) error {
	one, other := *asked, *asked
	failed, err := a.evaluate(ctx, &one)
	if err != nil {
		return err
	}
	failedToo, err := b.evaluate(ctx, &other)
	if err != nil {
		return err
	}
	if !sameViewers(&one.Viewers, &other.Viewers) {
		return fmt.Errorf("%w: on the viewers: %+v and %+v", ErrDisagree, one.Viewers, other.Viewers)
	}
	if len(failed) != len(failedToo) {
		return fmt.Errorf("%w: %d candidates without an answer and %d", ErrDisagree, len(failed), len(failedToo))
	}
	for i := range one.Results {
		if r, s := &one.Results[i], &other.Results[i]; !sameResult(r, s) {
			return fmt.Errorf("%w: on candidate %d: %+v and %+v", ErrDisagree, i, *r, *s)
		}
	}
	return nil
}

func sameViewers(a, b *Viewers) bool {
	return a.Known == b.Known && a.Digest == b.Digest && slices.Equal(a.Reasons, b.Reasons) && slices.Equal(a.Present, b.Present)
}

func sameResult(a, b *Result) bool {
	return a.ID == b.ID && a.Admit == b.Admit && slices.Equal(a.Reasons, b.Reasons) && slices.Equal(a.Obligations, b.Obligations)
}

// check asks the closures and OPA the same, with questions that aim at what the policy mentions.
func (p *compiled) check(ctx context.Context, turns int) error {
	return agree(ctx, interpreted{p.Engine}, p, newProber(probeSeed, p.mentions), turns, probeCandidates)
}
