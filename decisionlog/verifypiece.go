package decisionlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	selectDefinitions = `SELECT d.handle, d.digest, d.body, n.hash, nullif(n.salt, zeroblob(16)), n.text
		FROM definition d LEFT JOIN name n USING (handle) WHERE d.handle >= ? AND d.handle < ? ORDER BY d.handle`
	countStrays = `SELECT count(*) FROM name WHERE handle NOT IN (SELECT handle FROM definition WHERE body IS NULL)`

	// verifyTexts is how many bytes of names a worker remembers before it forgets them, verifyAdmits how
	// many outcomes, and verifyDocuments how many bytes of documents.
	verifyTexts     = 4 << 20
	verifyAdmits    = 1 << 16
	verifyDocuments = 8 << 20
)

// piece is the ledger rows under one tile of leaves, as one worker verifies them.
type piece struct {
	first uint64
	rows  int

	// began is set where the first row has a leaf; from is where its definitions begin, and to where
	// those of the last row in order end.
	began    bool
	from, to uint64

	// leaves are the hashes of the rows in order; err is about the row behind them, nil where all are.
	leaves   []tlog.Hash
	receipts uint64
	err      error

	done chan struct{}
}

// verifyPieces verifies pieces until there are no more.
func (l *Log) verifyPieces(ctx context.Context, receipt func([]byte) error, work <-chan *piece) {
	w := pieceWorker{ctx: ctx, nameKey: l.keys.name, receipt: receipt}
	tx, end, err := l.beginRead(ctx)
	if err == nil {
		w.tx = tx
		w.documents, err = newDocumentCache(verifyDocuments)
		// An error here is one of a connection that is given up; what was read was read.
		defer func() { _ = end() }()
	}
	for p := range work {
		if p.err = err; err == nil {
			w.verify(p)
		}
		close(p.done)
	}
}

// pieceWorker has what one goroutine reads with. Documents may be kept between rows, since each is
// compared with its leaf where it was defined, in the same state of the database.
type pieceWorker struct {
	ctx       context.Context
	tx        *sql.Tx
	nameKey   []byte
	receipt   func([]byte) error
	documents *documentCache
	values    *values
}

// verify looks at the leaves first, then at what they define, then at the payloads. Each step goes as far
// as the one before found all in order, so the error is about the first row that is not.
func (w *pieceWorker) verify(p *piece) {
	rows, heads, err := w.leaves(p)
	if n, wrong := w.definitions(heads); wrong != nil {
		rows, heads, err = rows[:n], heads[:n], wrong
		if n < len(p.leaves) {
			err = (&row{seq: int64(p.first) + int64(n)}).blame(wrong)
		}
	}
	for i := range rows {
		if wrong := w.payload(p, &rows[i], &heads[i]); wrong != nil {
			rows, err = rows[:i], rows[i].blame(wrong)
			break
		}
	}
	p.leaves, p.err = p.leaves[:len(rows)], err
	if len(rows) > 0 {
		p.to = heads[len(rows)-1].Defines.next()
	}
}

// leaves reads the rows of a piece and compares them with its tile. It returns those in order, and the
// error of the next.
func (w *pieceWorker) leaves(p *piece) (rows []row, heads []leaf, err error) {
	stored, err := tiles{w.ctx, w.tx}.tile(0, int64(p.first/tileWidth))
	if err != nil {
		return nil, nil, err
	}
	if len(stored)%tlog.HashSize != 0 {
		return nil, nil, damaged("the tile %d of level 0 has %d bytes", p.first/tileWidth, len(stored))
	}
	tree := splitHashes(stored)
	list, err := readRows(w.ctx, w.tx, p.first, p.rows)
	if err != nil {
		list, err = nil, readError(w.ctx, "read the ledger", err)
		if !isDamage(err) {
			return nil, nil, err
		}
	}
	for i := range p.rows {
		seq := p.first + uint64(i)
		var r row
		switch {
		case i < len(list):
			r = list[i]
		case err != nil: // One row after the other, to find the broken page.
			if r, err = readRow(w.ctx, w.tx, int64(seq)); err != nil {
				return rows, heads, err
			}
			err = errBrokenPage
		}
		if r.leaf == nil || uint64(r.seq) != seq {
			return rows, heads, damaged("ledger row %d is missing", seq)
		}
		if i >= len(tree) {
			return rows, heads, r.blame(damaged("the tree ends before it"))
		}
		head, wrong := parseLeaf(r.leaf)
		hash := tlog.RecordHash(r.leaf)
		switch {
		case wrong != nil:
		case hash != tree[i]:
			wrong = notInTree(p.first / tileWidth)
		case i == 0:
			p.began, p.from = true, head.Defines.First
		case head.Defines.First != heads[i-1].Defines.next():
			wrong = damaged("the leaf's definitions begin at %d, want %d", head.Defines.First, heads[i-1].Defines.next())
		}
		if wrong != nil {
			return rows, heads, r.blame(wrong)
		}
		rows, heads, p.leaves = append(rows, r), append(heads, head), append(p.leaves, hash)
	}
	if len(tree) > p.rows {
		return rows, heads, damaged("ledger row %d is missing: the tree has more leaves", p.first+uint64(p.rows))
	}
	return rows, heads, nil
}

// errBrokenPage has leaves go on row by row.
var errBrokenPage = errors.New("a page of the database is broken")

// payload checks the payload of one row.
func (w *pieceWorker) payload(p *piece, r *row, head *leaf) error {
	if r.payload == nil {
		return nil
	}
	if w.values == nil || w.values.size > verifyTexts || len(w.values.admits) > verifyAdmits {
		w.values = newValues(w.ctx, w.tx, w.documents)
	}
	if err := kindOf(head.Type).check(w.values, head, r.payload); err != nil {
		return err
	}
	if head.Type != leafReceipt || w.receipt == nil {
		return nil
	}
	if err := w.receipt(r.payload); err != nil {
		return damaged("the receipt is not verified: %v", err)
	}
	p.receipts++
	return nil
}

// definitions compares what leaves, each of which goes on where the one before ends, define. It returns
// the number of those in order, and the error of the next.
func (w *pieceWorker) definitions(heads []leaf) (n int, err error) {
	if len(heads) == 0 {
		return 0, nil
	}
	last := heads[len(heads)-1].Defines.next()
	rows, err := w.tx.QueryContext(w.ctx, selectDefinitions, int64(heads[0].Defines.First), int64(last))
	if err != nil {
		return 0, readError(w.ctx, "read the definitions", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for n = range heads {
		if err := w.definitionsOf(heads[n].Defines, rows); err != nil {
			return n, err
		}
	}
	return len(heads), nil
}

// definitionsOf takes the definitions of one leaf off rows.
func (w *pieceWorker) definitionsOf(d defines, rows *sql.Rows) error {
	all := sha256.New()
	for handle := d.First; handle < d.next(); handle++ {
		var got int64
		var want, body, hash, salt, text []byte
		if !rows.Next() {
			if err := rows.Err(); err != nil {
				return readError(w.ctx, "read the definitions", err)
			}
			return damaged("definition %d is missing", handle)
		}
		if err := rows.Scan(&got, &want, &body, &hash, &salt, &text); err != nil {
			return readError(w.ctx, "read the definitions", err)
		}
		if uint64(got) != handle {
			return damaged("definition %d is missing", handle)
		}
		if err := w.definition(handle, want, body, hash, salt, text); err != nil {
			return err
		}
		all.Write(want)
	}
	if digest(all.Sum(nil)) != d.Digest {
		return damaged("the definitions from %d on do not match the leaf", d.First)
	}
	return nil
}

// definition compares one definition with its digest; that of an erased name is all that is left of it.
func (w *pieceWorker) definition(handle uint64, want, body, hash, salt, text []byte) error {
	var got digest
	switch {
	case body != nil:
		got = digestOf(body)
	case salt != nil:
		got = nameDigest(salt, text)
	default:
		copy(got[:], want)
	}
	if !bytes.Equal(got[:], want) {
		return damaged("definition %d does not match its digest", handle)
	}
	if salt != nil && !bytes.Equal(nameHash(w.nameKey, text), hash) {
		return damaged("name %d is not where it would be looked up", handle)
	}
	return nil
}
