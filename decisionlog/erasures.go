package decisionlog

import (
	"context"
	"fmt"
	"math"
)

// Erasures returns the register of erasures, newest first: at most limit, and none that is not older
// than the ledger row before; math.MaxInt64 begins with the newest.
//
// Errors: ErrDamaged, ErrClosed, ErrUnavailable or the context's error.
func (l *Log) Erasures(ctx context.Context, before int64, limit int) ([]StoredErasure, error) {
	var found []StoredErasure
	err := l.snapshot(ctx, func(from *view) error {
		list := postingList{byErasure, 0}
		for at := min(before, math.MaxInt64) - 1; len(found) < limit; {
			seq, err := list.seek(ctx, from, at)
			if err != nil || seq == none {
				return err
			}
			at = seq - 1
			stored, err := readRow(ctx, from.tx, seq)
			if err != nil {
				return err
			}
			head, err := parseLeaf(stored.leaf)
			if err != nil {
				return stored.blame(err)
			}
			e, err := newValues(ctx, from.tx, l.documents).erasure(&stored, &head)
			if err != nil {
				return stored.blame(err)
			}
			if e != nil {
				found = append(found, *e)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("get the erasures: %w", err)
	}
	return found, nil
}
