package decisionlog

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Record is one decision as the ledger has it.
type Record struct {
	policy.Entry
	Log policy.Position

	// Handoff is set for a hand-off. Then Entry has only its ID, At and PolicyRevision.
	Handoff *policy.HandoffEntry

	// Pruned is set where retention has emptied the payload. Then the entry has only its ID, At
	// and PolicyRevision.
	Pruned bool
}

// Get returns the decision with this id; the first one, should an id have been used again.
//
// Errors: ErrNotFound, ErrDamaged with the ledger row that cannot be read, ErrClosed, ErrUnavailable
// or the context's error.
func (l *Log) Get(ctx context.Context, id string) (*Record, error) {
	var found *Record
	err := l.snapshot(ctx, func(from *view) error {
		seq, err := l.first(ctx, from, id, isDecision)
		if err == nil {
			found, err = newValues(ctx, from.tx, l.documents).record(seq)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("get a decision: %w", err)
	}
	return found, nil
}

// first returns the row of the oldest entry with this id whose type is wanted. A row whose leaf cannot be read counts
// where the index has it under the id: it did have it.
func (l *Log) first(ctx context.Context, from *view, id string, wanted func(typ string) bool) (int64, error) {
	list := postingList{byID, idKey(id)}
	first := none
	for at := int64(math.MaxInt64); ; {
		seq, err := list.seek(ctx, from, at)
		if err != nil {
			return none, err
		}
		if seq == none {
			break
		}
		stored, err := readRow(ctx, from.tx, seq)
		if err != nil && !isDamage(err) {
			return none, err
		}
		if leaf, err := parseLeaf(stored.leaf); err != nil || leaf.ID == id && wanted(leaf.Type) {
			first = seq
		}
		at = seq - 1
	}
	if first == none {
		return none, ErrNotFound
	}
	return first, nil
}

// record reads one row of the ledger whole.
func (v *values) record(seq int64) (*Record, error) {
	stored, err := readRow(v.ctx, v.db, seq)
	if err != nil {
		return nil, err
	}
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return nil, stored.blame(err)
	}
	r := &Record{Log: policy.Position{Index: uint64(seq), Leaf: tlog.RecordHash(stored.leaf)}}
	r.Entry = policy.Entry{ID: l.ID, At: l.At, PolicyRevision: l.Revision}
	kind, ok := kindOf(l.Type).(decisionKind)
	switch {
	case !ok:
		err = damaged("the entry is of the type %q and no decision", l.Type)
	case stored.payload == nil:
		r.Pruned = true
	default:
		err = kind.record(v, r, &l, stored.payload)
	}
	if err != nil {
		return nil, stored.blame(err)
	}
	return r, nil
}
