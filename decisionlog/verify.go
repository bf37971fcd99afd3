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
	selectDefinitions = `SELECT d.handle, d.digest, d.body, n.hash, n.salt, n.text
		FROM definition d LEFT JOIN name n USING (handle) WHERE d.handle >= ? AND d.handle < ? ORDER BY d.handle`
	countStrays = `SELECT count(*) FROM name WHERE handle NOT IN (SELECT handle FROM definition WHERE body IS NULL)`

	// verifyTexts is how many bytes of names Verify remembers before it forgets them.
	verifyTexts = 16 << 20
)

// Verify reads the whole ledger as it is when it begins. It returns how many entries it found in
// order, and an error that matches ErrDamaged at the first one that is not: a payload, a definition
// or a name that does not match what the leaves commit to, or a row that is missing. Progress, unless
// it is nil, is called now and then with the number of entries found in order so far.
//
// What it cannot see is a leaf that was changed together with everything it commits to: that takes a
// Merkle tree over the leaves. Payloads that retention emptied and names that were erased are fine.
//
// Errors: ErrDamaged, ErrClosed, ErrUnavailable or the context's error.
func (l *Log) Verify(ctx context.Context, progress func(entries uint64)) (entries uint64, err error) {
	if progress == nil {
		progress = func(uint64) {}
	}
	tx, end, err := l.beginRead(ctx)
	if err == nil {
		c := check{ctx: ctx, tx: tx, nameKey: l.keys.name, handle: 1}
		err = errors.Join(c.all(progress), end())
		entries = c.seq
	}
	if err != nil {
		return entries, fmt.Errorf("verify the log: %w", err)
	}
	return entries, nil
}

// check is one run of Verify: seq and handle are the next row and definition to look at.
type check struct {
	ctx     context.Context
	tx      *sql.Tx
	nameKey []byte
	values  *values
	seq     uint64
	handle  uint64
}

func (c *check) all(progress func(uint64)) error {
	for {
		rows, err := readRows(c.ctx, c.tx, c.seq, rowChunk)
		if err != nil {
			return readError(c.ctx, fmt.Sprintf("read the ledger from row %d on", c.seq), err)
		}
		if len(rows) == 0 {
			return c.end()
		}
		for i := range rows {
			if uint64(rows[i].seq) != c.seq {
				return damaged("ledger row %d is missing", c.seq)
			}
			if err := c.row(&rows[i]); err != nil {
				return rows[i].blame(err)
			}
			c.seq++
		}
		progress(c.seq)
	}
}

// row checks one row, whose definitions must begin where those of the row before end.
func (c *check) row(r *row) error {
	l, err := parseLeaf(r.leaf)
	if err != nil {
		return err
	}
	if l.Defines.First != c.handle {
		return damaged("the leaf's definitions begin at %d, want %d", l.Defines.First, c.handle)
	}
	if err := c.definitions(l.Defines); err != nil {
		return err
	}
	c.handle = l.Defines.next()
	if r.payload == nil {
		return nil
	}
	if c.values == nil || c.values.size > verifyTexts {
		c.values = newValues(c.ctx, c.tx, noDocuments{})
	}
	return kindOf(l.Type).check(c.values, &l, r.payload)
}

func (c *check) definitions(d defines) (err error) {
	rows, err := c.tx.QueryContext(c.ctx, selectDefinitions, int64(d.First), int64(d.next()))
	if err != nil {
		return readError(c.ctx, "read the definitions", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all := sha256.New()
	count := uint64(0)
	for rows.Next() {
		var handle int64
		var want, body, hash, salt, text []byte
		if err := rows.Scan(&handle, &want, &body, &hash, &salt, &text); err != nil {
			return readError(c.ctx, "read the definitions", err)
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
		if salt != nil && !bytes.Equal(nameHash(c.nameKey, text), hash) {
			return damaged("name %d is not where it would be looked up", handle)
		}
		all.Write(want)
		count++
	}
	if err := rows.Err(); err != nil {
		return readError(c.ctx, "read the definitions", err)
	}
	if count != d.Count || digest(all.Sum(nil)) != d.Digest {
		return damaged("the definitions from %d on do not match the leaf", d.First)
	}
	return nil
}

// end checks that nothing lies behind the last leaf's definitions, and that every name has one of
// them.
func (c *check) end() error {
	var end head
	if err := c.tx.QueryRowContext(c.ctx, selectHead).Scan(&end.seq, &end.handle); err != nil {
		return readError(c.ctx, "read the end of the ledger", err)
	}
	if end.handle != c.handle {
		return damaged("there are %d definitions, the leaves commit to %d", end.handle-1, c.handle-1)
	}
	var strays int
	if err := c.tx.QueryRowContext(c.ctx, countStrays).Scan(&strays); err != nil {
		return readError(c.ctx, "count the names", err)
	}
	if strays > 0 {
		return damaged("there are %d names without a definition", strays)
	}
	return nil
}
