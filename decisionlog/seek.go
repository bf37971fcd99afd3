package decisionlog

import (
	"context"
	"database/sql"
	"errors"
)

// none stands for "no row".
const none int64 = -1

const (
	selectPosting = `SELECT seq FROM posting WHERE kind = ? AND key = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`
	selectKey     = `SELECT key FROM posting WHERE kind = ? AND key > ? ORDER BY key LIMIT 1`
)

// seeker is a set of ledger rows that can be walked from the newest to the oldest.
type seeker interface {
	// seek returns the last row of the set up to seq, or none.
	seek(ctx context.Context, from *view, seq int64) (int64, error)
}

// postingList is the rows with one kind and key.
type postingList struct {
	kind postingKind
	key  int64
}

func (p postingList) seek(ctx context.Context, from *view, seq int64) (int64, error) {
	// The tail comes after everything in the index.
	found := from.tail.posting(p.kind, p.key, seq)
	if found != none {
		return found, nil
	}
	err := lookUp(ctx, from.tx, "search the index", selectPosting, []any{int64(p.kind), p.key, seq}, &found)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return none, nil
	case err != nil:
		return none, err
	}
	return found, nil
}

// nextKey returns the first key above key that a kind has postings with, or none.
func (v *view) nextKey(ctx context.Context, kind postingKind, key int64) (int64, error) {
	var found int64
	err := lookUp(ctx, v.tx, "search the index", selectKey, []any{int64(kind), key}, &found)
	if errors.Is(err, sql.ErrNoRows) {
		found, err = none, nil
	}
	if err != nil {
		return none, err
	}
	if behind := v.tail.nextKey(kind, key); found == none || behind != none && behind < found {
		found = behind
	}
	return found, nil
}

// union is the rows of any of its sets.
type union []seeker

func (u union) seek(ctx context.Context, from *view, seq int64) (int64, error) {
	last := none
	for _, s := range u {
		found, err := s.seek(ctx, from, seq)
		if err != nil {
			return none, err
		}
		last = max(last, found)
	}
	return last, nil
}

// intersection is the rows that all of its sets have. There must be at least one.
type intersection []seeker

// seek lets every set move down to where the others stand until all agree.
func (x intersection) seek(ctx context.Context, from *view, seq int64) (int64, error) {
	for agreed, i := 0, 0; agreed < len(x) && seq != none; i = (i + 1) % len(x) {
		found, err := x[i].seek(ctx, from, seq)
		if err != nil {
			return none, err
		}
		if found == seq {
			agreed++
			continue
		}
		seq, agreed = found, 1
	}
	return seq, nil
}
