package decisionlog

import (
	"context"
	"slices"
)

const selectNaming = `SELECT seq, leaf, payload FROM entry WHERE seq >= ? AND payload IS NOT NULL
	AND (instr(leaf, '"type":"receipt"') OR instr(leaf, '"type":"handoff"')) ORDER BY seq LIMIT ?`

// searchEntries finds the hand-offs that refer to the name, whose manifest digest can be compared with
// guesses, and the receipts that say the name or such a digest. Receipts follow what they are about.
func (t *traces) searchEntries(ctx context.Context, db rowsQuerier, nameKey []byte) error {
	for {
		rows, err := readRowsBy(ctx, db, selectNaming, t.seq, traceChunk/16)
		if err != nil {
			return readError(ctx, "search the ledger", err)
		}
		for i := range rows {
			t.seq = rows[i].seq + 1
			if err := t.readEntry(ctx, db, nameKey, &rows[i]); err != nil {
				return rows[i].blame(err)
			}
		}
		if len(rows) < traceChunk/16 {
			return nil
		}
	}
}

func (t *traces) readEntry(ctx context.Context, db rowsQuerier, nameKey []byte, r *row) error {
	l, err := parseLeaf(r.leaf)
	if err != nil {
		return err
	}
	if l.Type == leafReceipt {
		if text, err := envelopeText(r.payload); err != nil || t.says(text) || t.saysDigest(text) {
			t.receipts = append(t.receipts, r.seq)
		}
		return nil
	}
	p, err := openHandoff(&l, r.payload)
	if err != nil || t.handle == 0 || !t.refers(p) {
		return err
	}
	v := newValues(ctx, db, noDocuments{})
	manifest := v.name(p.manifest)
	if err := v.take(); err != nil {
		return err
	}
	return t.derive(ctx, db, nameKey, manifest)
}

// refers reports whether a hand-off says the name.
func (t *traces) refers(p *handoff) bool {
	return p.agent == t.handle || t.documents[p.inheritance] || t.documents[p.boundary] ||
		slices.ContainsFunc(p.items, func(i item) bool { return t.documents[i.candidate] })
}
