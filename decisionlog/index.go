package decisionlog

import (
	"context"
	"slices"
	"strings"
)

const (
	// indexBatch is how many ledger rows the index takes in with one transaction, batchPostings after
	// how many postings it ends. They bound how long a decision waits for the index.
	indexBatch    = 256
	batchPostings = 1 << 15

	// postingRows is how many postings one INSERT has: a call into SQLite costs more than a row.
	postingRows = 64

	selectProgress = `SELECT entries FROM progress`
	updateProgress = `UPDATE progress SET entries = ?`
	insertPosting  = `INSERT OR IGNORE INTO posting (kind, key, seq) VALUES (?, ?, ?)`
	upsertSpan     = `INSERT INTO span (level, block, earliest, latest) VALUES (?, ?, ?, ?)
		ON CONFLICT (level, block) DO UPDATE SET
			earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`
)

// catchUp has the writer fill the index up to the row target, with room for commits in between.
func (l *Log) catchUp(ctx context.Context, target uint64) error {
	for l.indexed.Load() < target {
		if err := l.run(ctx, (*writer).index); err != nil {
			return err
		}
	}
	return nil
}

// indexIfFarBehind keeps the wait of a query bounded while decisions come without a pause.
func (w *writer) indexIfFarBehind() {
	if w.log.committed.Load()-w.log.indexed.Load() >= uint64(w.log.config.IndexLag) {
		w.indexWhenIdle()
	}
}

// indexWhenIdle fills the index and forgets the error: the decisions are safe, and a query that
// needs the index meets the same error and reports it.
func (w *writer) indexWhenIdle() { w.paused = w.guard((*writer).index) != nil }

// index takes the next batch of ledger rows into the index, if there are any. It reads them before its
// transaction: SQLite lets no transaction write that has met a broken page.
func (w *writer) index() error {
	var entries uint64
	if err := w.files.untouched(); err != nil {
		return err
	}
	if err := w.conn.QueryRowContext(background(), selectProgress).Scan(&entries); err != nil {
		return storageError("read the state of the index", err)
	}
	end := min(entries+indexBatch, w.log.committed.Load())
	batch, err := readBatch(background(), w.conn, w.log.documents, entries, end, batchPostings)
	if err != nil {
		return err
	}
	entries += batch.rows
	err = w.transaction("fill the index", func() error {
		if err := w.writePostings(batch.postings); err != nil {
			return err
		}
		for s, r := range batch.spans {
			if _, err := w.conn.ExecContext(background(), upsertSpan, s.level, s.block, r.earliest, r.latest); err != nil {
				return err
			}
		}
		_, err = w.conn.ExecContext(background(), updateProgress, int64(entries))
		return err
	})
	if err == nil {
		w.log.indexed.Store(entries)
	}
	return err
}

func (w *writer) writePostings(postings []posting) error {
	for chunk := range slices.Chunk(postings, postingRows) {
		args := make([]any, 0, 3*len(chunk))
		for _, p := range chunk {
			args = append(args, int64(p.kind), p.key, p.seq)
		}
		if _, err := w.conn.ExecContext(background(), insertPosting+strings.Repeat(", (?, ?, ?)", len(chunk)-1), args...); err != nil {
			return err
		}
	}
	return nil
}
