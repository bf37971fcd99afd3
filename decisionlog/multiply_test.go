package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// multiplyBatch is how many rows Multiply writes with one transaction.
const multiplyBatch = 16384

// template is a ledger row that is repeated, with what it gives the index.
type template struct {
	leaf     leaf
	payload  []byte
	postings []posting
}

// Multiply repeats the decisions of the log, a second apart, until it has n rows, each with an id of its
// own and its place in the index save the one by its id. It writes neither a tree nor definitions, so the
// log is to be asked and not to be opened again.
func (l *Log) Multiply(ctx context.Context, n uint64) error {
	return l.run(ctx, func(w *writer) error {
		templates, err := w.templates(ctx)
		if err != nil {
			return err
		}
		for seq := w.next.seq; seq < n; {
			end := min(n, seq+multiplyBatch)
			if err := w.multiply(ctx, templates, seq, end); err != nil {
				return err
			}
			seq = end
		}
		l.committed.Store(n)
		l.indexed.Store(n)
		return nil
	})
}

func (w *writer) templates(ctx context.Context) (list []template, err error) {
	stored, err := readRows(ctx, w.conn, 0, int(w.next.seq))
	if err != nil {
		return nil, err
	}
	v := newValues(ctx, w.conn, w.log.documents)
	for _, r := range stored {
		t := template{payload: r.payload}
		if t.leaf, err = parseLeaf(r.leaf); err != nil {
			return nil, err
		}
		if t.postings, err = kindOf(t.leaf.Type).postings(v, 0, &t.leaf, r.payload); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

func (w *writer) multiply(ctx context.Context, templates []template, seq, end uint64) (err error) {
	tx, err := w.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	insert, err := tx.PrepareContext(ctx, insertEntry)
	if err != nil {
		return err
	}
	var postings []posting
	spans := make(map[span]timeRange)
	for ; seq < end; seq++ {
		t := &templates[seq%uint64(len(templates))]
		l := t.leaf
		l.ID, l.At = fmt.Sprintf("01931c5e-7d2a-7c1f-9b00-%012d", seq), templates[0].leaf.At.Add(time.Duration(seq)*time.Second)
		if _, err := insert.ExecContext(ctx, int64(seq), l.append(nil), t.payload); err != nil {
			return err
		}
		for _, p := range t.postings {
			p.seq = int64(seq)
			postings = append(postings, p)
		}
		addToSpans(spans, int64(seq), l.At.UnixMicro())
	}
	slices.SortFunc(postings, posting.compare)
	if err := insertPostings(ctx, tx, postings); err != nil {
		return err
	}
	for s, r := range spans {
		if _, err := tx.ExecContext(ctx, upsertSpan, s.level, s.block, r.earliest, r.latest); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, updateProgress, int64(end)); err != nil {
		return err
	}
	return tx.Commit()
}

func insertPostings(ctx context.Context, tx *sql.Tx, postings []posting) error {
	insert, err := tx.PrepareContext(ctx, insertPosting)
	if err != nil {
		return err
	}
	for _, p := range postings {
		if _, err := insert.ExecContext(ctx, int64(p.kind), p.key, p.seq); err != nil {
			return err
		}
	}
	return nil
}
