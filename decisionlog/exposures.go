package decisionlog

import (
	"context"
	"fmt"
)

// pageDecisions is how many decisions one page of exposures looks at before it ends. It bounds the time
// of a page whose filter by reason matches few of the items.
const pageDecisions = 4096

// Exposures returns a page of what a person's turns were shown, or of whom an item reached, on the terms
// of List. What was handed to a turn and then not used counts: the log cannot know.
//
// Errors: those of List.
func (l *Log) Exposures(ctx context.Context, q ExposureQuery) (ExposurePage, error) {
	limit, start, err := q.check(l.keys.cursor)
	if err != nil {
		return ExposurePage{}, err
	}
	var page ExposurePage
	err = l.snapshot(ctx, func(from *view) error {
		rows, err := l.exposed(ctx, &q, from)
		if err != nil {
			return err
		}
		w := exposureWalk{q: &q, from: from, v: newValues(ctx, from.tx, l.documents), rows: rows, limit: limit}
		next, err := w.walk(start)
		if err != nil {
			return err
		}
		page.Exposures = w.found
		if next != nil {
			page.Next = next.cursor(l.keys.cursor, questionExposures, q.filters())
		}
		return nil
	})
	if err != nil {
		return ExposurePage{}, fmt.Errorf("list exposures: %w", err)
	}
	return page, nil
}

// exposed returns the decisions that may have what q asks for.
func (l *Log) exposed(ctx context.Context, q *ExposureQuery, from *view) (seeker, error) {
	admit := true
	narrowed := q.Query
	narrowed.Admit = &admit
	rows, err := l.seeker(ctx, &narrowed, from)
	if err != nil || q.Principal == "" {
		return rows, err
	}
	person, err := l.seeker(ctx, &Query{Viewer: q.Principal}, from)
	return intersection{person, rows}, err
}

// exposureWalk collects one page.
type exposureWalk struct {
	q     *ExposureQuery
	from  *view
	v     *values
	rows  seeker
	limit int

	found []Exposure
	names int
}

// walk returns where the next page starts; nil on the last one.
func (w *exposureWalk) walk(at place) (*place, error) {
	for decisions := 0; ; decisions++ {
		seq, err := w.rows.seek(w.v.ctx, w.from, int64(at.seq))
		if err != nil || seq == none {
			return nil, err
		}
		if uint64(seq) != at.seq {
			at = place{seq: uint64(seq)}
		}
		if len(w.found) >= w.limit || w.names > pageNames || decisions == pageDecisions {
			return &at, nil
		}
		if full, err := w.decision(&at); err != nil || full {
			return &at, err
		}
		if seq == 0 {
			return nil, nil
		}
		at = place{seq: uint64(seq) - 1}
	}
}

// decision takes in what one decision admitted, from at.position on. It reports whether the page is full
// before the decision ends, and moves at to where it goes on.
func (w *exposureWalk) decision(at *place) (full bool, err error) {
	s, err := w.v.noted(w.from, int64(at.seq))
	if err != nil {
		return false, err
	}
	if w.q.Principal != "" {
		s.Viewers.Present = nil
	}
	w.names += len(s.Viewers.Present)
	if s.Damage != nil || s.Pruned {
		w.found = append(w.found, Exposure{Summary: s})
		return false, nil
	}
	items, kind, err := w.v.items(int64(at.seq))
	if err != nil {
		return false, err
	}
	for i := int(at.position); i < len(items); i++ {
		admitted := w.v.admitted(items[i].outcome)
		if admitted && len(w.found) >= w.limit {
			at.position = uint64(i)
			return true, nil
		}
		var e Exposure
		if admitted {
			e = w.v.exposure(&s, i, items[i], kind)
		}
		switch err := w.v.take(); {
		case isDamage(err):
			s.Damage = err
			w.found = append(w.found, Exposure{Summary: s})
			return false, nil
		case err != nil:
			return false, err
		case admitted && w.q.shown(&e, s.Viewers.Reasons):
			w.found = append(w.found, e)
		}
	}
	return false, nil
}

func (v *values) exposure(s *Summary, position int, of item, kind documentKind) Exposure {
	e := Exposure{Summary: *s, Position: position, ItemID: v.name(v.itemID(of.candidate, kind))}
	result := v.outcome(of.outcome, e.ItemID)
	e.Reasons, e.Obligations = result.Reasons, result.Obligations
	return e
}

// items returns what was asked about in the decision of one row, and the kind of its labels.
func (v *values) items(seq int64) ([]item, documentKind, error) {
	stored, err := readRow(v.ctx, v.db, seq)
	if err != nil {
		return nil, 0, err
	}
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return nil, 0, stored.blame(err)
	}
	if l.Type == leafHandoff {
		h, err := openHandoff(&l, stored.payload)
		if err != nil {
			return nil, 0, stored.blame(err)
		}
		return h.items, elementDocument, nil
	}
	p, err := openPayload(&l, stored.payload)
	if err != nil {
		return nil, 0, stored.blame(err)
	}
	return p.items, candidateDocument, nil
}
