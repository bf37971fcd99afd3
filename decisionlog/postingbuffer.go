package decisionlog

import (
	"context"
	"errors"
	"slices"
)

// maxBuffer is how many rows of a posting list are read ahead at most.
const maxBuffer = 256

const selectPostings = `SELECT seq FROM posting WHERE kind = ? AND key = ? AND seq <= ? ORDER BY seq DESC LIMIT ?`

// bufferedList is a posting list that reads ahead, the further the more of it is wanted: a call into the
// database costs more than the rows it gives. It is for one view.
type bufferedList struct {
	postingList

	// rows are those of the list from top down, save those of the tail; where whole is set, there are no
	// more below.
	rows  []int64
	top   int64
	whole bool
	ahead int
}

func buffered(p postingList) *bufferedList { return &bufferedList{postingList: p, top: none} }

func (b *bufferedList) seek(ctx context.Context, from *view, seq int64) (int64, error) {
	if found := from.tail.posting(b.kind, b.key, seq); found != none {
		return found, nil
	}
	if !b.covers(seq) {
		if err := b.read(ctx, from, seq); err != nil {
			return none, err
		}
	}
	// Descending, so the first that is not above seq.
	i, _ := slices.BinarySearchFunc(b.rows, seq, func(row, seq int64) int {
		if row > seq {
			return -1
		}
		return 1
	})
	if i == len(b.rows) {
		return none, nil
	}
	return b.rows[i], nil
}

// covers reports whether the last row up to seq is known.
func (b *bufferedList) covers(seq int64) bool {
	return seq <= b.top && (b.whole || len(b.rows) > 0 && seq >= b.rows[len(b.rows)-1])
}

// read reads ahead from seq down, more than the last time.
func (b *bufferedList) read(ctx context.Context, from *view, seq int64) (err error) {
	b.ahead = min(max(1, 4*b.ahead), maxBuffer)
	if err := ctx.Err(); err != nil {
		return err
	}
	rows, err := from.tx.QueryContext(context.WithoutCancel(ctx), selectPostings, int64(b.kind), b.key, seq, b.ahead)
	if err != nil {
		return readError(ctx, "search the index", err)
	}
	b.rows, b.top = b.rows[:0], seq
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return readError(ctx, "search the index", errors.Join(err, rows.Close()))
		}
		b.rows = append(b.rows, row)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		b.top = none
		return readError(ctx, "search the index", err)
	}
	b.whole = len(b.rows) < b.ahead
	return nil
}
