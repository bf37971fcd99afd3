package decisionlog

import "golang.org/x/mod/sumdb/tlog"

// erasure is one erasure, beside what its leaf holds. The erased handles are numbers: they are what the
// entry is about and nothing that it refers to.
type erasure struct {
	requestedBy, reason uint64
	erased              []uint64
	asked               int64
	prints, receipts    uint64
}

// writeErasure writes what follows version and salt. Its order is that of parseErasure. Handles are
// written as the distance from the one before.
func writeErasure(f *form, e *StoredErasure) error {
	f.name(e.RequestedBy)
	f.name(e.Reason)
	f.number(uint64(len(e.Handles)))
	last := uint64(0)
	for _, handle := range e.Handles {
		f.number(handle - last)
		last = handle
	}
	f.integer(int64(e.Asked))
	f.number(e.Fingerprints)
	f.number(e.Receipts)
	return nil
}

// parseErasure reads the stored bytes of a payload, whose handles must be below next.
func parseErasure(b []byte, next uint64) (*erasure, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	e := &erasure{requestedBy: r.handle(), reason: r.handle()}
	e.erased = make([]uint64, r.count())
	last := uint64(0)
	for i := range e.erased {
		step := r.number()
		if step == 0 || step >= next-last {
			r.fail("the handles of an erasure are not in order")
		}
		last += step
		e.erased[i] = last
	}
	e.asked, e.prints, e.receipts = r.integer(), r.number(), r.number()
	if e.asked < -1 || e.asked >= int64(len(e.erased)) {
		r.fail("an erasure has no handle at %d", e.asked)
	}
	return e, r.end()
}

// openErasure reads the payload of an erasure that a leaf commits to.
func openErasure(l *leaf, stored []byte) (*erasure, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parseErasure(stored, l.Defines.next())
}

// erasure puts the erasure in a row together again; nil where retention has emptied it.
func (v *values) erasure(stored *row, l *leaf) (*StoredErasure, error) {
	if stored.payload == nil {
		return nil, nil
	}
	p, err := openErasure(l, stored.payload)
	if err != nil {
		return nil, err
	}
	e := &StoredErasure{
		ID: l.ID, At: l.At, PolicyRevision: l.Revision,
		RequestedBy: v.name(p.requestedBy), Reason: v.name(p.reason),
		Handles: p.erased, Asked: int(p.asked), Fingerprints: p.prints, Receipts: p.receipts,
	}
	e.Log.Index, e.Log.Leaf = uint64(stored.seq), tlog.RecordHash(stored.leaf)
	return e, v.take()
}

// erasureKind is how entries of the type "erasure" are read.
type erasureKind struct{}

func (erasureKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.erasure(&row{payload: stored}, l)
	return err
}

func (erasureKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	if _, err := openErasure(l, stored); err != nil {
		return nil, err
	}
	return []posting{{byErasure, 0, seq}}, nil
}
