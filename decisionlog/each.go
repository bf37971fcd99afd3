package decisionlog

import (
	"context"
	"fmt"
	"slices"
)

const (
	// eachWindow is how many ledger rows Each looks at with one state of the index. It bounds the list of
	// those that are selected.
	eachWindow = 4096

	// eachRecords and eachResults bound what Each holds in memory: it reads no further decision once it
	// has so many decisions, or so many results in them.
	eachRecords = 64
	eachResults = 4096
)

// Each calls take with every decision that q selects, in the order of the ledger, the oldest first. It
// takes in what was recorded before the call and nothing later. Its memory does not grow with the number
// of decisions, and it holds no state of the database while take runs, so that a slow one keeps neither an
// erasure nor a backup waiting. Of what retention has emptied take gets a record with Pruned.
//
// It ends with the first decision that is damaged, the first error of take, which it returns as it is, or
// where a name that q has was erased meanwhile: then what is left could not be selected.
//
// Errors: those of List, and of take. A Limit or a Cursor is an ErrInvalidQuery.
func (l *Log) Each(ctx context.Context, q Query, take func(*Record) error) error {
	return l.each(ctx, q, eachWindow, take)
}

func (l *Log) each(ctx context.Context, q Query, window uint64, take func(*Record) error) error {
	switch {
	case q.Limit != 0:
		return &QueryError{"limit", "does not apply; all that is selected is given"}
	case q.Cursor != "":
		return &QueryError{"cursor", "does not apply; all that is selected is given"}
	}
	if err := q.checkRange(); err != nil {
		return err
	}
	if l.isClosed() {
		return fmt.Errorf("read decisions: %w", ErrClosed)
	}
	w := eachWalk{log: l, q: &q, handles: make(map[string]int64)}
	end := l.committed.Load()
	for first := uint64(0); first < end; first += window {
		rows, err := w.selected(ctx, int64(first), int64(min(first+window, end))-1)
		if err != nil {
			return fmt.Errorf("read decisions: %w", err)
		}
		for len(rows) > 0 {
			records, err := w.read(ctx, rows)
			if err != nil {
				return fmt.Errorf("read decisions: %w", err)
			}
			rows = rows[len(records):]
			for _, r := range records {
				if err := take(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachWalk is one call of Each.
type eachWalk struct {
	log *Log
	q   *Query

	// handles has the handle of each filter that is a name, once the ledger has it.
	handles map[string]int64
}

// selected returns the rows from first to last, both included, that the query selects, ascending.
func (w *eachWalk) selected(ctx context.Context, first, last int64) (list []int64, err error) {
	err = w.log.snapshot(ctx, func(from *view) error {
		if err := w.checkNames(ctx, from); err != nil {
			return err
		}
		rows, err := w.log.seeker(ctx, w.q, from)
		if err != nil {
			return err
		}
		for at := last; at >= first; {
			seq, err := rows.seek(ctx, from, at)
			if err != nil {
				return err
			}
			if seq < first {
				break
			}
			list = append(list, seq)
			at = seq - 1
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
}

// checkNames returns an error where a filter had a handle and has it no more: its name was erased.
func (w *eachWalk) checkNames(ctx context.Context, from *view) error {
	s := selection{Query: w.q, ctx: ctx, from: from, nameKey: w.log.keys.name}
	for _, filter := range []struct{ parameter, text string }{
		{"item", w.q.Item}, {"viewer", w.q.Viewer}, {"agent", w.q.Agent}, {"channel", w.q.Channel}, {"tenant", w.q.Tenant},
	} {
		handle, before := s.handle(filter.text), w.handles[filter.parameter]
		if s.err != nil {
			return s.err
		}
		if before != 0 && handle != before {
			return &QueryError{filter.parameter, "was erased from the log meanwhile; ask again"}
		}
		w.handles[filter.parameter] = handle
	}
	return nil
}

// read returns the decisions of the first of these rows, at least one.
func (w *eachWalk) read(ctx context.Context, rows []int64) (records []*Record, err error) {
	err = w.log.snapshot(ctx, func(from *view) error {
		v := newValues(ctx, from.tx, w.log.documents)
		results := 0
		for _, seq := range rows {
			if len(records) == eachRecords || results >= eachResults {
				return nil
			}
			r, err := v.sound(from, seq)
			if err != nil {
				return err
			}
			records = append(records, r)
			results += len(r.Results)
			if r.Handoff != nil {
				results += len(r.Handoff.Results)
			}
		}
		return nil
	})
	return records, err
}

// sound is record, with the damage that the index knows of: a row that was indexed as damaged is selected
// although it may not match.
func (v *values) sound(from *view, seq int64) (*Record, error) {
	r, err := v.record(seq)
	if err != nil {
		return nil, err
	}
	damage, err := postingList{byDamage, 0}.seek(v.ctx, from, seq)
	if err == nil && damage == seq {
		err = damaged("ledger row %d could not be read when it was indexed", seq)
	}
	return r, err
}
