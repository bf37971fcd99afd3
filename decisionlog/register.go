package decisionlog

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Registered is what an entry of a register has beside its own matter.
type Registered struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force; empty where none was.
	PolicyRevision string

	Log policy.Position

	// Pruned is set where retention has emptied the payload. Then there is nothing else.
	Pruned bool

	// Damage says why the entry cannot be read whole, and matches ErrDamaged. Then there is Log.Index,
	// and of the rest what can be read.
	Damage error
}

// Span is a part of a register, newest first.
type Span struct {
	// From and To bound the entry's clock; From is included, To is not. Zero leaves an end open.
	From, To time.Time

	// Limit is the size of the page, at most MaxLimit; zero means DefaultLimit.
	Limit int

	// Cursor is what the page before gave, with the same filters; empty for the first page.
	Cursor string
}

// query returns s as a Query, which knows how to check it.
func (s *Span) query() *Query {
	return &Query{From: s.From, To: s.To, Limit: s.Limit, Cursor: s.Cursor}
}

// walk is one page of a walk over ledger rows.
type walk struct {
	question string
	filters  []string
	span     Span
}

// walk calls take with each row of a seeker, the newest first, until take has kept as many as asked for. It
// returns the cursor of the next page.
func (l *Log) walk(ctx context.Context, w walk, find func(*view) (seeker, error),
	take func(v *values, from *view, seq int64) (kept bool, err error)) (next string, err error) {
	q := w.span.query()
	limit, err := q.limit()
	if err != nil {
		return "", err
	}
	if err := q.checkRange(); err != nil {
		return "", err
	}
	filters := append(q.filters(), w.filters...)
	at := place{seq: math.MaxInt64}
	if q.Cursor != "" {
		if at, err = readCursor(l.keys.cursor, w.question, filters, q.Cursor); err != nil {
			return "", err
		}
	}
	err = l.snapshot(ctx, func(from *view) error {
		rows, err := find(from)
		if err != nil {
			return err
		}
		v := newValues(ctx, from.tx, l.documents)
		kept := 0
		for looked := 0; ; looked++ {
			seq, err := rows.seek(ctx, from, int64(at.seq))
			if err != nil || seq == none {
				return err
			}
			at.seq = uint64(seq)
			if kept == limit || looked == pageDecisions {
				next = at.cursor(l.keys.cursor, w.question, filters)
				return nil
			}
			keep, err := take(v, from, seq)
			if err != nil {
				return err
			}
			if keep {
				kept++
			}
			if seq == 0 {
				return nil
			}
			at.seq--
		}
	})
	if err != nil {
		return "", fmt.Errorf("list %s: %w", w.question, err)
	}
	return next, nil
}

// contains reports whether a clock is in the span.
func (s *Span) contains(at time.Time) bool {
	return (s.From.IsZero() || !at.Before(s.From)) && (s.To.IsZero() || at.Before(s.To))
}

// registered reads one row of a register; read reads its payload. Its error is never ErrDamaged.
func (v *values) registered(seq int64, read func(l *leaf, stored []byte) error) (Registered, error) {
	r := Registered{Log: policy.Position{Index: uint64(seq)}}
	stored, err := readRow(v.ctx, v.db, seq)
	if err == nil {
		var l leaf
		if l, err = parseLeaf(stored.leaf); err == nil {
			r.ID, r.At, r.PolicyRevision = l.ID, l.At, l.Revision
			r.Log.Leaf = tlog.RecordHash(stored.leaf)
			if r.Pruned = stored.payload == nil; !r.Pruned {
				err = read(&l, stored.payload)
			}
		}
		if isDamage(err) {
			err = stored.blame(err)
		}
	}
	if isDamage(err) {
		r.Damage, err = err, nil
	}
	return r, err
}
