package decisionlog

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"earshot/policy"
)

// Dispositions returns what a reviewer can say of a finding, in the order of the contract.
func Dispositions() []string { return []string{"accepted", "false_positive", "fixed"} }

// Disposition is what a reviewer said of a finding, as it goes to the log. A later one replaces it and does
// not remove it.
type Disposition struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force; empty where none is.
	PolicyRevision string

	// FindingID is the id of the finding.
	FindingID string

	// Disposition is one of Dispositions.
	Disposition string

	// Note is a text of the reviewer's own, empty for none. It is a name of the ledger and can be erased.
	Note string

	// RequestedBy names the reviewer's credential; empty where no authentication is configured.
	RequestedBy string
}

// StoredDisposition is a disposition as the ledger has it.
type StoredDisposition struct {
	Disposition
	Log policy.Position
}

// RecordDisposition appends a disposition to the ledger, on the terms of Record.
//
// Errors: ErrNotFound where the id is that of no finding; otherwise those of Record.
func (l *Log) RecordDisposition(ctx context.Context, d *Disposition) (policy.Position, error) {
	if _, err := l.Finding(ctx, d.FindingID); err != nil {
		return policy.Position{}, err
	}
	if !slices.Contains(Dispositions(), d.Disposition) {
		return policy.Position{}, fmt.Errorf("%w: %q is no disposition", ErrUnencodable, d.Disposition)
	}
	head, err := newLeaf(leafDisposition, d.ID, d.At, d.PolicyRevision)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, func() (*draft, error) {
		return encode(head, 0, l.known, func(f *form) error {
			f.name(d.PolicyRevision)
			f.name(d.RequestedBy)
			f.name(d.FindingID)
			f.name(d.Disposition)
			f.name(d.Note)
			return nil
		})
	})
}

// disposition is one disposition in handles, beside what its leaf holds.
type disposition struct {
	requestedBy, finding, word, note uint64
}

// openDisposition reads the payload of a disposition that a leaf commits to.
func openDisposition(l *leaf, stored []byte) (*disposition, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	r, err := payloadReader(stored, l.Defines.next())
	if err != nil {
		return nil, err
	}
	r.handle() // the revision, which the leaf has
	d := &disposition{requestedBy: r.handle(), finding: r.handle(), word: r.handle(), note: r.handle()}
	return d, r.end()
}

// disposition puts a disposition together again from its leaf and its payload.
func (v *values) disposition(l *leaf, stored []byte) (Disposition, error) {
	d, err := openDisposition(l, stored)
	if err != nil {
		return Disposition{}, err
	}
	out := Disposition{
		ID: l.ID, At: l.At, PolicyRevision: l.Revision, RequestedBy: v.name(d.requestedBy),
		FindingID: v.name(d.finding), Disposition: v.name(d.word), Note: v.name(d.note),
	}
	return out, v.take()
}

// dispositions returns what was said of a finding and is kept, in the order of the ledger.
func (v *values) dispositions(from *view, nameKey []byte, id string) (list []StoredDisposition, err error) {
	handle, err := findHandle(v.ctx, v.db, nameKey, id)
	if err != nil {
		return nil, orNone(err)
	}
	of := postingList{byDispositionOf, handle}
	for at := int64(math.MaxInt64); ; {
		seq, err := of.seek(v.ctx, from, at)
		if err != nil || seq == none {
			slices.Reverse(list)
			return list, err
		}
		at = seq - 1
		var d StoredDisposition
		r, err := v.registered(seq, func(l *leaf, stored []byte) (err error) {
			d.Disposition, err = v.disposition(l, stored)
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case r.Damage != nil:
			return nil, r.Damage
		case !r.Pruned:
			d.Log = r.Log
			list = append(list, d)
		}
	}
}

// dispositionKind is how entries of the type "disposition" are read.
type dispositionKind struct{}

func (dispositionKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.disposition(l, stored)
	return err
}

func (dispositionKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	d, err := openDisposition(l, stored)
	if err != nil || d.finding == 0 {
		return nil, err
	}
	return []posting{{byDispositionOf, int64(d.finding), seq}}, nil
}
