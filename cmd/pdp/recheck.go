package main

import (
	"context"
	"errors"
	"sync/atomic"

	"earshot/policy"

	"github.com/rs/zerolog"
)

const (
	// recheckEvery is of how many recorded decisions one is worked out both ways.
	recheckEvery = 1000

	// recheckQueue is how many decisions may wait for that. It bounds memory: a decision can be large.
	recheckQueue = 4
)

// rechecker is a recorder that has a sample of what it recorded decided again, by OPA and by closures,
// so that closures which are wrong are found out in use. It costs an answer nothing: it works in one
// goroutine of its own, and while that is behind, it takes no sample.
type rechecker struct {
	recorder
	recheck func(context.Context, *policy.Entry) error
	logger  zerolog.Logger
	every   uint64

	queue       chan *policy.Entry
	seen        atomic.Uint64
	differences atomic.Uint64
}

// newRechecker returns a rechecker of the engine's decisions. Run does the work.
func newRechecker(engine *policy.Engine, r recorder, logger zerolog.Logger) *rechecker {
	return &rechecker{
		recorder: r, recheck: engine.Recheck, logger: logger, every: recheckEvery,
		queue: make(chan *policy.Entry, recheckQueue),
	}
}

// Record records an entry, and puts it in the queue if it is one of the sample.
func (r *rechecker) Record(ctx context.Context, entry *policy.Entry) (policy.Position, error) {
	position, err := r.recorder.Record(ctx, entry)
	if err == nil && r.seen.Add(1)%r.every == 0 {
		copied := *entry
		select {
		case r.queue <- &copied:
		default:
		}
	}
	return position, err
}

// run rechecks what is in the queue until ctx ends.
func (r *rechecker) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case entry := <-r.queue:
			r.one(ctx, entry)
		}
	}
}

func (r *rechecker) one(ctx context.Context, entry *policy.Entry) {
	err := r.recheck(ctx, entry)
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, policy.ErrDisagree):
		r.differences.Add(1)
		// What differs names people, so it stays out of the log; the id leads to it.
		r.logger.Error().Str("decision_id", entry.ID).
			Msg("OPA and the closures of the policy disagree on this decision; OPA decides from now on")
	default:
		r.logger.Warn().Str("decision_id", entry.ID).AnErr("cause", err).Msg("a decision could not be rechecked")
	}
}
