package decisionlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
)

const (
	selectDefinitions = `SELECT d.handle, d.digest, d.body, n.salt, n.text
		FROM definition d LEFT JOIN name n USING (handle) WHERE d.handle >= ? AND d.handle < ? ORDER BY d.handle`
	countStrays = `SELECT count(*) FROM name WHERE handle NOT IN (SELECT handle FROM definition WHERE body IS NULL)`
)

// Verify reads the whole ledger and returns an error that matches ErrDamaged if any payload,
// definition or name does not match what the leaves commit to, or if a row is missing. What it
// cannot see is a leaf that was changed together with everything it commits to: that takes a
// Merkle tree over the leaves. Payloads that retention emptied and names that were erased are fine.
func (l *Log) Verify(ctx context.Context) error {
	tx, end, err := l.beginRead(ctx)
	if err == nil {
		err = errors.Join(verify(ctx, tx), end())
	}
	if err != nil {
		return fmt.Errorf("verify the log: %w", err)
	}
	return nil
}

func verify(ctx context.Context, tx *sql.Tx) error {
	handle, seq := uint64(1), uint64(0)
	for {
		rows, err := readRows(ctx, tx, seq, indexBatch)
		if err != nil {
			return readError(ctx, "read the ledger", err)
		}
		if len(rows) == 0 {
			break
		}
		v := newValues(ctx, tx, noDocuments{})
		for _, r := range rows {
			if uint64(r.seq) != seq {
				return damaged("ledger row %d is missing", seq)
			}
			if handle, err = verifyRow(ctx, tx, v, &r, handle); err != nil {
				return r.blame(err)
			}
			seq++
		}
	}
	return verifyEnd(ctx, tx, handle)
}

// verifyRow checks one row, whose definitions must begin at handle, and returns where they end.
func verifyRow(ctx context.Context, tx *sql.Tx, v *values, r *row, handle uint64) (uint64, error) {
	l, err := parseLeaf(r.leaf)
	if err != nil {
		return 0, err
	}
	if l.Defines.First != handle {
		return 0, damaged("the leaf's definitions begin at %d, want %d", l.Defines.First, handle)
	}
	if err := verifyDefinitions(ctx, tx, l.Defines); err != nil {
		return 0, err
	}
	if r.payload != nil {
		if _, err := v.entry(&l, r.payload); err != nil {
			return 0, err
		}
	}
	return l.Defines.next(), nil
}

func verifyDefinitions(ctx context.Context, tx *sql.Tx, d defines) (err error) {
	rows, err := tx.QueryContext(ctx, selectDefinitions, int64(d.First), int64(d.next()))
	if err != nil {
		return readError(ctx, "read the definitions", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all := sha256.New()
	count := uint64(0)
	for rows.Next() {
		var handle int64
		var want, body, salt, text []byte
		if err := rows.Scan(&handle, &want, &body, &salt, &text); err != nil {
			return readError(ctx, "read the definitions", err)
		}
		var got digest
		switch {
		case body != nil:
			got = digestOf(body)
		case salt != nil:
			got = nameDigest(salt, text)
		default: // erased
			copy(got[:], want)
		}
		if !bytes.Equal(got[:], want) {
			return damaged("definition %d does not match its digest", handle)
		}
		all.Write(want)
		count++
	}
	if err := rows.Err(); err != nil {
		return readError(ctx, "read the definitions", err)
	}
	if count != d.Count || digest(all.Sum(nil)) != d.Digest {
		return damaged("the definitions from %d on do not match the leaf", d.First)
	}
	return nil
}

// verifyEnd checks that nothing lies behind the last leaf's definitions, and that every name has one
// of them.
func verifyEnd(ctx context.Context, tx *sql.Tx, handle uint64) error {
	var end head
	if err := tx.QueryRowContext(ctx, selectHead).Scan(&end.seq, &end.handle); err != nil {
		return readError(ctx, "read the end of the ledger", err)
	}
	if end.handle != handle {
		return damaged("there are %d definitions, the leaves commit to %d", end.handle-1, handle-1)
	}
	var strays int
	if err := tx.QueryRowContext(ctx, countStrays).Scan(&strays); err != nil {
		return readError(ctx, "count the names", err)
	}
	if strays > 0 {
		return damaged("there are %d names without a definition", strays)
	}
	return nil
}

// noDocuments makes every document be read and compared with its digest.
type noDocuments struct{}

func (noDocuments) Get(uint64) ([]byte, bool) { return nil, false }
func (noDocuments) Add(uint64, []byte) bool   { return false }
