package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
)

const (
	// indexBatch is how many ledger rows the index takes in with one transaction. It bounds how
	// long a decision waits for the index.
	indexBatch = 256

	// postingRows is how many postings one INSERT has: a call into SQLite costs more than a row.
	postingRows = 64

	selectProgress = `SELECT entries FROM progress`
	updateProgress = `UPDATE progress SET entries = ?`
	selectRows     = `SELECT seq, leaf, payload FROM entry WHERE seq >= ? ORDER BY seq LIMIT ?`
	insertPosting  = `INSERT OR IGNORE INTO posting (kind, key, seq) VALUES (?, ?, ?)`
	upsertSpan     = `INSERT INTO span (level, block, earliest, latest) VALUES (?, ?, ?, ?)
		ON CONFLICT (level, block) DO UPDATE SET
			earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`
)

// Reindex empties the index and fills it again from the ledger. Decisions are recorded meanwhile;
// queries wait. Decisions whose payload retention has emptied are found by id and by time only
// afterwards.
func (l *Log) Reindex(ctx context.Context) error {
	if err := l.run(ctx, (*writer).clearIndex); err != nil {
		return err
	}
	return l.catchUp(ctx, l.committed.Load())
}

// catchUp has the writer fill the index up to the row target, with room for commits in between.
func (l *Log) catchUp(ctx context.Context, target uint64) error {
	for l.indexed.Load() < target {
		if err := l.run(ctx, (*writer).index); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) clearIndex() error {
	err := w.transaction("empty the index", func() error {
		_, err := w.conn.ExecContext(background(),
			`DELETE FROM posting; DELETE FROM span; UPDATE progress SET entries = 0`)
		return err
	})
	if err == nil {
		w.log.indexed.Store(0)
	}
	return err
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

// index takes the next batch of ledger rows into the index, if there are any.
func (w *writer) index() error {
	var entries uint64
	err := w.transaction("fill the index", func() error {
		if err := w.conn.QueryRowContext(background(), selectProgress).Scan(&entries); err != nil {
			return err
		}
		batch, err := readBatch(background(), w.conn, w.log.documents, entries, indexBatch)
		if err != nil {
			return err
		}
		if batch.rows == 0 && entries < w.next.seq {
			return damaged("ledger row %d is missing", entries)
		}
		if err := w.writePostings(batch.postings); err != nil {
			return err
		}
		for s, r := range batch.spans {
			if _, err := w.conn.ExecContext(background(), upsertSpan, s.level, s.block, r.earliest, r.latest); err != nil {
				return err
			}
		}
		entries += batch.rows
		_, err = w.conn.ExecContext(background(), updateProgress, int64(entries))
		return err
	})
	if err == nil {
		w.log.indexed.Store(entries)
	}
	return err
}

// batch is what the index learns from some ledger rows.
type batch struct {
	rows     uint64
	postings []posting
	spans    map[span]timeRange
}

// readBatch reads up to n ledger rows from row seq on.
func readBatch(ctx context.Context, db rowsQuerier, docs documents, seq uint64, n int) (batch, error) {
	b := batch{spans: make(map[span]timeRange)}
	v := newValues(ctx, db, docs)
	stored, err := readRows(ctx, db, seq, n)
	if err != nil {
		return batch{}, readError(ctx, "read the ledger", err)
	}
	for _, row := range stored {
		if want := seq + b.rows; uint64(row.seq) != want {
			return batch{}, damaged("ledger row %d is missing", want)
		}
		l, err := parseLeaf(row.leaf)
		if err != nil {
			return batch{}, row.blame(err)
		}
		b.rows++
		addToSpans(b.spans, row.seq, l.At.UnixMicro())
		b.postings = append(b.postings, posting{byID, idKey(l.ID), row.seq})
		if row.payload == nil {
			continue
		}
		postings, err := v.postings(row.seq, &l, row.payload)
		if err != nil {
			return batch{}, row.blame(err)
		}
		b.postings = append(b.postings, postings...)
	}
	// In the order of the table, so that a batch touches each of its pages once.
	slices.SortFunc(b.postings, posting.compare)
	return b, nil
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

// row is one row of the ledger.
type row struct {
	seq     int64
	leaf    []byte
	payload []byte
}

// rowsQuerier can return several rows as well.
type rowsQuerier interface {
	querier
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readRows returns up to n rows of the ledger from seq on.
func readRows(ctx context.Context, db rowsQuerier, seq uint64, n int) (list []row, err error) {
	rows, err := db.QueryContext(ctx, selectRows, int64(seq), n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.seq, &r.leaf, &r.payload); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
