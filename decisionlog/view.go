package decisionlog

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// tailPostings is how much of the index a view makes itself where the index cannot be filled.
const tailPostings = 1 << 20

// view is what a call of List or Get reads: one state of the ledger and of the index. Where the
// database can be read and not written, the rows behind the index are in tail.
type view struct {
	tx   *sql.Tx
	tail tail
}

// snapshot calls read with a view that has every entry committed before the call.
func (l *Log) snapshot(ctx context.Context, read func(*view) error) (err error) {
	target := l.committed.Load()
	behind := l.catchUp(ctx, target)
	if behind != nil && !errors.Is(behind, ErrUnavailable) {
		return behind
	}
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()

	var entries uint64
	if err := lookUp(ctx, tx, "read the state of the index", selectProgress, nil, &entries); err != nil {
		return err
	}
	v := view{tx: tx}
	if entries < target {
		b, err := readBatch(ctx, tx, l.documents, entries, target, tailPostings)
		if err != nil {
			return err
		}
		if lag := target - entries; b.rows < lag {
			// Behind is why the index could not be filled; or something else has emptied it.
			return cmp.Or(behind, damaged("the index lacks %d decisions; restart the service", lag))
		}
		v.tail = tail{batch: b, first: int64(entries)}
	}
	return read(&v)
}

// beginRead begins a transaction that reads; the caller must call end.
func (l *Log) beginRead(ctx context.Context) (tx *sql.Tx, end func() error, err error) {
	if l.isClosed() {
		return nil, nil, ErrClosed
	}
	if err := cmp.Or(l.writer.files.replaced(), l.writer.files.writeProtected()); err != nil {
		return nil, nil, err
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
