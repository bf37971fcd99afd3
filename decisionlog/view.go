package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// maxTail is how many rows a view reads itself where the index cannot be filled.
const maxTail = 1 << 16

// view is what a call of List or Get reads: one state of the ledger and of the index. Where the
// database can be read and not written, the rows behind the index are in tail.
type view struct {
	tx   *sql.Tx
	tail tail
}

// snapshot calls read with a view that has every entry committed before the call.
func (l *Log) snapshot(ctx context.Context, read func(*view) error) error {
	target := l.committed.Load()
	for {
		behind := l.catchUp(ctx, target)
		if behind != nil && !errors.Is(behind, ErrUnavailable) {
			return behind
		}
		done, err := l.readAt(ctx, target, behind, read)
		if done || err != nil {
			return err
		}
	}
}

// readAt calls read in a transaction. It does not, and done is false, if the index is behind target
// there although it was filled: a rebuild has emptied it in between. Behind is why it could not be
// filled, if so.
func (l *Log) readAt(ctx context.Context, target uint64, behind error, read func(*view) error) (done bool, err error) {
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, end()) }()

	var entries uint64
	if err := lookUp(ctx, tx, "read the state of the index", selectProgress, nil, &entries); err != nil {
		return false, err
	}
	v := view{tx: tx}
	switch {
	case entries >= target:
	case behind == nil:
		return false, nil
	case target-entries > maxTail:
		return false, behind
	default:
		b, err := readBatch(ctx, tx, l.documents, entries, maxTail)
		if err != nil {
			return false, err
		}
		v.tail = tail{batch: b, first: int64(entries)}
	}
	return true, read(&v)
}

// beginRead begins a transaction that reads; the caller must call end.
func (l *Log) beginRead(ctx context.Context) (tx *sql.Tx, end func() error, err error) {
	if l.isClosed() {
		return nil, nil, ErrClosed
	}
	tx, err = l.reads.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, readError(ctx, "begin to read", err)
	}
	return tx, func() error {
		// One that the end of ctx rolled back has ended already.
		err := tx.Rollback()
		if err == nil || errors.Is(err, sql.ErrTxDone) || ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("end a read: %w", err)
	}, nil
}

// tail is the index of the ledger rows from first on, in memory.
type tail struct {
	batch
	first int64
}

// posting returns the last row up to seq that has a posting of this kind and key, or none.
func (t *tail) posting(kind postingKind, key, seq int64) int64 {
	i, found := slices.BinarySearchFunc(t.postings, posting{kind, key, seq}, posting.compare)
	if found {
		return seq
	}
	if i > 0 && t.postings[i-1].kind == kind && t.postings[i-1].key == key {
		return t.postings[i-1].seq
	}
	return none
}

// between returns the last row up to seq whose clock is in the range, or none.
func (t *tail) between(r timeRange, seq int64) int64 {
	for at := min(seq, t.first+int64(t.rows)-1); at >= t.first; at-- {
		clock, ok := t.spans[span{0, at}]
		if ok && clock.earliest >= r.earliest && clock.latest <= r.latest {
			return at
		}
	}
	return none
}
