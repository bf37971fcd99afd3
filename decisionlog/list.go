package decisionlog

import (
	"context"
	"fmt"
)

// pageNames is how many viewers the summaries of one page name before the page ends. It bounds the
// memory of a page whatever turns it has.
const pageNames = 100_000

// Page is a part of the answer to a query.
type Page struct {
	// Summaries are in the order of the ledger, the newest first. There are fewer than asked for
	// where they name very many viewers.
	Summaries []Summary

	// Next is the cursor of the page that follows; empty on the last page.
	Next string
}

// List returns the decisions that q selects, among them every one that was recorded before the
// call. Entries that are recorded while a caller pages do not shift the pages.
//
// A decision whose record is damaged is on every list that it could belong to, with Summary.Damage,
// and hides no other.
//
// Errors: ErrInvalidQuery, ErrClosed, ErrUnavailable, ErrDamaged (the index or the database itself) or
// the context's error.
func (l *Log) List(ctx context.Context, q Query) (Page, error) {
	limit, err := q.limit()
	if err != nil {
		return Page{}, err
	}
	if err := q.checkRange(); err != nil {
		return Page{}, err
	}
	start, err := q.start(l.keys.cursor)
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = l.snapshot(ctx, func(from *view) error {
		rows, err := l.seeker(ctx, &q, from)
		if err != nil {
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
	names := 0
	for at := start; ; {
		seq, err := rows.seek(ctx, from, at)
		if err != nil || seq == none {
			return page, err
		}
		if n := len(page.Summaries); n == limit || names > pageNames {
			page.Next = q.cursor(l.keys.cursor, page.Summaries[n-1].Log.Index)
			return page, nil
		}
		s, err := v.noted(from, seq)
		if err != nil {
			return Page{}, err
		}
		page.Summaries = append(page.Summaries, s)
		names += len(s.Viewers.Present)
		at = seq - 1
	}
}

// noted is summary, with the damage that the index knows of: a row that was indexed as damaged may be on
// a list although it does not match.
func (v *values) noted(from *view, seq int64) (Summary, error) {
	s, err := v.summary(seq)
	if err != nil || s.Damage != nil {
		return s, err
	}
	damage, err := postingList{byDamage, 0}.seek(v.ctx, from, seq)
	if err == nil && damage == seq {
		s.Damage = damaged("ledger row %d could not be read when it was indexed", seq)
	}
	return s, err
}
