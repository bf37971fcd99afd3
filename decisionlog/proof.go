package decisionlog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/tlog"
)

// Proof proves that an entry is in the ledger: it returns the text of a .tlog-proof (C2SP tlog-proof) for
// the leaf at index, with the checkpoint that it leads to. Size chooses the checkpoint by its size; zero
// is the newest, and one that has the entry is made where that is too old.
//
// Errors: ErrInvalidQuery with the parameter, where there is no such entry, no checkpoint of that size or
// the entry is not in it; ErrNoCheckpoint where one would have to be made and no key is there; ErrClosed,
// ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Proof(ctx context.Context, index, size uint64) ([]byte, error) {
	text, err := l.prove(ctx, index, size)
	if err != nil {
		return nil, fmt.Errorf("prove entry %d: %w", index, err)
	}
	return text, nil
}

func (l *Log) prove(ctx context.Context, index, size uint64) ([]byte, error) {
	text, err := l.proveFrom(ctx, index, size)
	if !errors.Is(err, errNotCovered) {
		return text, err
	}
	made, err := l.newCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	return l.proveFrom(ctx, index, made.size)
}

// errNotCovered means that the newest checkpoint is older than an entry.
var errNotCovered = errors.New("the newest checkpoint is older")

func (l *Log) proveFrom(ctx context.Context, index, size uint64) (text []byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, rows uint64) error {
		if index >= rows {
			return &QueryError{"index", fmt.Sprintf("must be below %d, the number of entries", rows)}
		}
		signed, err := l.checkpointOf(ctx, tx, size)
		if err != nil {
			return err
		}
		if index >= signed.size {
			if size == 0 {
				return errNotCovered
			}
			return &QueryError{"index", fmt.Sprintf("must be below %d, the size of the checkpoint", signed.size)}
		}
		path, err := tlog.ProveRecord(int64(signed.size), int64(index), tiles{ctx, tx})
		if err != nil {
			return err
		}
		stored, err := readRow(ctx, tx, int64(index))
		if err != nil {
			return err
		}
		// A proof that does not lead from the leaf to the root is never given out.
		if err := tlog.CheckRecord(path, int64(signed.size), signed.root, int64(index), tlog.RecordHash(stored.leaf)); err != nil {
			return stored.blame(damaged("the leaf does not lead to the checkpoint of size %d", signed.size))
		}
		p := proof.TLogProof{Index: index, Checkpoint: signed.note}
		for _, h := range path {
			p.Hashes = append(p.Hashes, [sha256.Size]byte(h))
		}
		text = p.Marshal()
		return nil
	})
	return text, err
}

// checkpointOf returns the stored checkpoint of a size, the newest for zero.
func (l *Log) checkpointOf(ctx context.Context, db querier, size uint64) (*checkpoint, error) {
	if size == 0 {
		last, err := lastCheckpoint(ctx, db, l.logKeys)
		if err == nil && last == nil {
			return nil, errNotCovered
		}
		return last, err
	}
	var text []byte
	err := lookUp(ctx, db, "read a checkpoint", selectCheckpoint, []any{int64(size)}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &QueryError{"size", "is not that of a checkpoint"}
	}
	if err != nil {
		return nil, err
	}
	c, err := l.logKeys.openStored(int64(size), text)
	return &c, err
}

// Consistency proves that the ledger with the first to entries continues the one with the first from
// entries: it returns the hashes of RFC 6962, section 2.1.2.
//
// Errors: ErrInvalidQuery with the parameter that is out of range; ErrClosed, ErrUnavailable, ErrDamaged
// or the context's error.
func (l *Log) Consistency(ctx context.Context, from, to uint64) (hashes [][sha256.Size]byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, rows uint64) error {
		switch {
		case from == 0:
			return &QueryError{"from", "must be at least 1"}
		case to > rows:
			return &QueryError{"to", fmt.Sprintf("must be at most %d, the number of entries", rows)}
		case from > to:
			return &QueryError{"from", "must not be above to"}
		}
		list, err := tlog.ProveTree(int64(to), int64(from), tiles{ctx, tx})
		hashes = make([][sha256.Size]byte, len(list))
		for i, h := range list {
			hashes[i] = h
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("prove that %d entries continue %d: %w", to, from, err)
	}
	return hashes, nil
}
