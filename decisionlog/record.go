package decisionlog

import (
	"context"

	"earshot/policy"
)

// job is one entry on its way to the ledger. The writer answers it exactly once.
type job struct {
	draft *draft
	done  chan recorded
}

// recorded is the writer's answer.
type recorded struct {
	position policy.Position
	err      error
}

// Record appends the entry to the ledger and returns its position once it is durable.
//
// Errors: ErrUnencodable, ErrOverloaded and ErrClosed, with which nothing was recorded;
// ErrUnavailable, ErrDamaged or the context's error, with which the entry was not confirmed: it may or
// may not be in the ledger.
func (l *Log) Record(ctx context.Context, entry *policy.Entry) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	d, err := newDraft(entry, l.known)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, d)
}

// RecordHandoff appends a hand-off to the ledger, on the terms of Record.
func (l *Log) RecordHandoff(ctx context.Context, entry *policy.HandoffEntry) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	d, err := newHandoffDraft(entry, l.known)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, d)
}

// record hands a draft to the writer and waits for its answer.
func (l *Log) record(ctx context.Context, d *draft) (policy.Position, error) {
	// The channel has room for the answer, so the writer never waits for a caller that has gone.
	j := &job{draft: d, done: make(chan recorded, 1)}
	if err := l.accept(j); err != nil {
		return policy.Position{}, err
	}
	select {
	case answer := <-j.done:
		return answer.position, answer.err
	case <-ctx.Done():
		return policy.Position{}, ctx.Err()
	}
}

func (l *Log) accept(j *job) error {
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.closed {
		return ErrClosed
	}
	select {
	case l.writer.jobs <- j:
		return nil
	default:
		return ErrOverloaded
	}
}
