package decisionlog

import (
	"context"
	"errors"
	"fmt"

	"earshot/policy"
)

// job is what one caller records: all of it in one commit, or nothing. The writer answers it exactly
// once.
type job struct {
	drafts []*draft
	done   chan recorded
}

// recorded is the writer's answer.
type recorded struct {
	positions []policy.Position
	err       error
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
	return l.record(ctx, func() (*draft, error) { return newDraft(entry, l.known) })
}

// RecordHandoff appends a hand-off to the ledger, on the terms of Record.
func (l *Log) RecordHandoff(ctx context.Context, entry *policy.HandoffEntry) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, func() (*draft, error) { return newHandoffDraft(entry, l.known) })
}

// record hands what encode makes to the writer and waits for its answer. Where a name was erased in
// between, it is made again.
func (l *Log) record(ctx context.Context, encode func() (*draft, error)) (policy.Position, error) {
	for {
		epoch := l.epoch.Load()
		d, err := encode()
		if err != nil {
			return policy.Position{}, err
		}
		d.epoch = epoch
		positions, err := l.recordAll(ctx, []*draft{d})
		if errors.Is(err, errErased) {
			continue
		}
		if err != nil {
			return policy.Position{}, err
		}
		return positions[0], nil
	}
}

// recordAll hands drafts to the writer, which records them in one commit, and waits for its answer.
func (l *Log) recordAll(ctx context.Context, drafts []*draft) ([]policy.Position, error) {
	// The channel has room for the answer, so the writer never waits for a caller that has gone.
	j := &job{drafts: drafts, done: make(chan recorded, 1)}
	if err := l.accept(j); err != nil {
		return nil, err
	}
	select {
	case answer := <-j.done:
		return answer.positions, answer.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *Log) accept(j *job) error {
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.closed {
		return ErrClosed
	}
	if l.config.Unchecked {
		return fmt.Errorf("%w: it was opened to be verified", ErrUnavailable)
	}
	select {
	case l.writer.jobs <- j:
		return nil
	default:
		return ErrOverloaded
	}
}
