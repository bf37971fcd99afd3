package decisionlog

import (
	"context"
	"math"
	"slices"
)

// rowChunk is how many ledger rows are in memory at a time.
const rowChunk = 64

// batch is what the index learns from some ledger rows.
type batch struct {
	rows     uint64
	postings []posting
	spans    map[span]timeRange
}

// readBatch reads ledger rows from first on, up to end, which is excluded, and stops earlier where it
// has more than most postings. A row that is damaged or missing is indexed as far as it can be read,
// and as damaged, so that it is never passed over.
func readBatch(ctx context.Context, db rowsQuerier, docs documents, first, end uint64, most int) (batch, error) {
	b := batch{spans: make(map[span]timeRange)}
	v := newValues(ctx, db, docs)
	for first+b.rows < end && len(b.postings) <= most {
		from := first + b.rows
		stored, err := readRows(ctx, db, from, int(min(end-from, rowChunk)))
		if err != nil {
			if err = readError(ctx, "read the ledger", err); !isDamage(err) {
				return batch{}, err
			}
			// One row after the other, so that a broken page of the database hides no more than it holds.
			stored = nil
		}
		for seq := from; seq < min(end, from+rowChunk) && len(b.postings) <= most; seq++ {
			r := row{seq: int64(seq)}
			if len(stored) > 0 && uint64(stored[0].seq) == seq {
				r, stored = stored[0], stored[1:]
			} else if r, err = readRow(ctx, db, r.seq); err != nil && !isDamage(err) {
				return batch{}, err
			}
			if err := b.add(v, &r); err != nil {
				return batch{}, r.blame(err)
			}
			b.rows++
		}
	}
	// In the order of the table, so that a batch touches each of its pages once.
	slices.SortFunc(b.postings, posting.compare)
	return b, nil
}

// add takes in one row. Its error is never ErrDamaged.
func (b *batch) add(v *values, r *row) error {
	l, err := parseLeaf(r.leaf)
	if err != nil {
		b.postings = append(b.postings, posting{byDamage, 0, r.seq}, posting{byDamagedLeaf, 0, r.seq})
		return nil
	}
	decision := isDecision(l.Type)
	if decision {
		addToSpans(b.spans, r.seq, l.At.UnixMicro())
	}
	b.postings = append(b.postings, posting{byID, idKey(l.ID), r.seq})
	if r.payload == nil {
		return nil
	}
	postings, err := kindOf(l.Type).postings(v, r.seq, &l, r.payload)
	switch {
	case isDamage(err) && !decision:
		// It is on no list of decisions. Whoever asks for it by its id meets the damage.
	case isDamage(err):
		b.postings = append(b.postings, posting{byDamage, 0, r.seq})
	case err != nil:
		return err
	default:
		b.postings = append(b.postings, postings...)
	}
	return nil
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

// nextKey returns the first key above key that a kind has postings with, or none.
func (t *tail) nextKey(kind postingKind, key int64) int64 {
	i, _ := slices.BinarySearchFunc(t.postings, posting{kind, key + 1, math.MinInt64}, posting.compare)
	if i < len(t.postings) && t.postings[i].kind == kind {
		return t.postings[i].key
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
