package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Record is one decision as the ledger has it.
type Record struct {
	policy.Entry
	Log policy.Position

	// Pruned is set where retention has emptied the payload. Then the entry has only its ID, At
	// and PolicyRevision.
	Pruned bool
}

// Page is a part of the answer to a query.
type Page struct {
	// Records are in the order of the ledger, the newest first.
	Records []*Record

	// Next is the cursor of the page that follows; empty on the last page.
	Next string
}

const selectRow = `SELECT leaf, payload FROM entry WHERE seq = ?`

// List returns the decisions that q selects, among them every one that was recorded before the
// call. Entries that are recorded while a caller pages do not shift the pages.
//
// Errors: ErrInvalidQuery, ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) List(ctx context.Context, q Query) (Page, error) {
	limit, err := q.limit()
	if err != nil {
		return Page{}, err
	}
	if err := q.checkRange(); err != nil {
		return Page{}, err
	}
	start, err := q.start(l.cursorKey)
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = l.snapshot(ctx, func(from *view) error {
		rows, err := q.seeker(ctx, from.tx)
		if err != nil || rows == nil {
			return err
		}
		page, err = l.page(ctx, from, &q, rows, start, limit)
		return err
	})
	if err != nil {
		return Page{}, fmt.Errorf("list decisions: %w", err)
	}
	return page, nil
}

func (l *Log) page(ctx context.Context, from *view, q *Query, rows seeker, start int64, limit int) (Page, error) {
	var page Page
	v := newValues(ctx, from.tx, l.documents)
	for at := start; ; {
		seq, err := rows.seek(ctx, from, at)
		if err != nil || seq == none {
			return page, err
		}
		if len(page.Records) == limit {
			last := page.Records[limit-1].Log.Index
			page.Next = q.cursor(l.cursorKey, last)
			return page, nil
		}
		record, err := v.record(seq)
		if err != nil {
			return Page{}, err
		}
		page.Records = append(page.Records, record)
		at = seq - 1
	}
}

// Get returns the decision with this id; the first one, should an id have been used again.
//
// Errors: ErrNotFound, ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Get(ctx context.Context, id string) (*Record, error) {
	var found *Record
	err := l.snapshot(ctx, func(from *view) error {
		var err error
		found, err = l.first(ctx, from, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("get a decision: %w", err)
	}
	return found, nil
}

// first returns the oldest decision with this id.
func (l *Log) first(ctx context.Context, from *view, id string) (*Record, error) {
	v := newValues(ctx, from.tx, l.documents)
	list := postingList{byID, idKey(id)}
	var first *Record
	for at := int64(math.MaxInt64); ; {
		seq, err := list.seek(ctx, from, at)
		if err != nil {
			return nil, err
		}
		if seq == none {
			break
		}
		record, err := v.record(seq)
		if err != nil {
			return nil, err
		}
		if record.ID == id {
			first = record
		}
		at = seq - 1
	}
	if first == nil {
		return nil, ErrNotFound
	}
	return first, nil
}

// record reads one row of the ledger.
func (v *values) record(seq int64) (*Record, error) {
	stored := row{seq: seq}
	err := lookUp(v.ctx, v.db, "read a ledger row", selectRow, []any{seq}, &stored.leaf, &stored.payload)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, stored.blame(damaged("the index names a row that the ledger does not have"))
	case err != nil:
		return nil, err
	}
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return nil, stored.blame(err)
	}
	r := &Record{Log: policy.Position{Index: uint64(seq), Leaf: tlog.RecordHash(stored.leaf)}}
	if stored.payload == nil {
		r.Pruned = true
		r.Entry = policy.Entry{ID: l.ID, At: l.At, PolicyRevision: l.Revision}
		return r, nil
	}
	if r.Entry, err = v.entry(&l, stored.payload); err != nil {
		return nil, stored.blame(err)
	}
	return r, nil
}

// blame says in which row of the ledger err was met.
func (r *row) blame(err error) error { return fmt.Errorf("ledger row %d: %w", r.seq, err) }
