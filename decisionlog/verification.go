package decisionlog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Verification is one check of the exact context of a turn, as it goes to the log. It has digests and
// counts, never text.
type Verification struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force, whose settings the check went by.
	PolicyRevision string

	// DecisionID is of the decision that the context was held against.
	DecisionID string

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string

	// Turn is the turn as it was stated for the check, in normal form.
	Turn policy.Turn

	Segments []policy.Segment

	// Findings are empty where every segment is covered.
	Findings []policy.Finding
}

// StoredVerification is a verification as the ledger has it.
type StoredVerification struct {
	Verification
	Log policy.Position
}

// RecordVerification appends a verification to the ledger, on the terms of Record.
func (l *Log) RecordVerification(ctx context.Context, v *Verification) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	head, err := newLeaf(leafVerification, v.ID, v.At, v.PolicyRevision)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, func() (*draft, error) {
		return encode(head, len(v.Segments), l.known, func(f *form) error { return writeVerification(f, v) })
	})
}

// Verifications returns the verifications of a decision that are kept, in the order of the ledger; none
// where there are none.
//
// Errors: ErrDamaged, ErrClosed, ErrUnavailable or the context's error.
func (l *Log) Verifications(ctx context.Context, decisionID string) ([]StoredVerification, error) {
	var found []StoredVerification
	err := l.snapshot(ctx, func(from *view) error {
		handle, err := findHandle(ctx, from.tx, l.keys.name, decisionID)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		list := postingList{byVerificationOf, handle}
		for at := int64(math.MaxInt64); ; {
			seq, err := list.seek(ctx, from, at)
			if err != nil || seq == none {
				return err
			}
			at = seq - 1
			stored, err := readRow(ctx, from.tx, seq)
			if err != nil {
				return err
			}
			v, err := newValues(ctx, from.tx, l.documents).storedVerification(&stored)
			if err != nil {
				return stored.blame(err)
			}
			if v != nil {
				found = append(found, *v)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("get the verifications of a decision: %w", err)
	}
	slices.Reverse(found)
	return found, nil
}

// storedVerification returns the verification in a row, or nil where retention has emptied it.
func (v *values) storedVerification(stored *row) (*StoredVerification, error) {
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return nil, err
	}
	if l.Type != leafVerification {
		return nil, damaged("the index has an entry of the type %q among the verifications", l.Type)
	}
	if stored.payload == nil {
		return nil, nil
	}
	s := &StoredVerification{Log: policy.Position{Index: uint64(stored.seq), Leaf: tlog.RecordHash(stored.leaf)}}
	s.Verification, err = v.verification(&l, stored.payload)
	return s, err
}

// verification is one verification in handles, beside what its leaf holds.
type verification struct {
	revision, decision, requestedBy uint64
	turn                            turn
	segments                        []segment
	findings                        []finding
}

type segment struct {
	item, digest uint64
	overlaps     []overlap
}

type overlap struct {
	item   uint64
	prints int64
}

type finding struct {
	segment    int64
	kind, item uint64
}

// writeVerification writes what follows version and salt. Its order is that of parseVerification.
func writeVerification(f *form, v *Verification) error {
	f.name(v.PolicyRevision)
	f.name(v.DecisionID)
	f.name(v.RequestedBy)
	writeTurn(f, &v.Turn, v.At)
	writeList(f, v.Segments, func(s policy.Segment) {
		f.name(s.ItemID)
		f.name(s.Digest)
		writeList(f, s.Overlaps, func(o policy.Overlap) {
			f.name(o.ItemID)
			f.integer(int64(o.Prints))
		})
	})
	writeList(f, v.Findings, func(found policy.Finding) {
		f.integer(int64(found.Segment))
		f.name(found.Kind)
		f.name(found.ItemID)
	})
	return nil
}

// parseVerification reads the stored bytes of a payload, whose handles must be below next.
func parseVerification(b []byte, next uint64) (*verification, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	v := &verification{revision: r.handle(), decision: r.handle(), requestedBy: r.handle(), turn: readTurn(r)}
	v.segments = readList(r, func() segment {
		return segment{item: r.handle(), digest: r.handle(), overlaps: readList(r, func() overlap {
			return overlap{item: r.handle(), prints: r.integer()}
		})}
	})
	v.findings = readList(r, func() finding {
		return finding{segment: r.integer(), kind: r.handle(), item: r.handle()}
	})
	return v, r.end()
}

// openVerification reads the payload of a verification that a leaf commits to.
func openVerification(l *leaf, stored []byte) (*verification, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parseVerification(stored, l.Defines.next())
}

// verification puts the verification together again from its leaf and its payload.
func (v *values) verification(l *leaf, stored []byte) (Verification, error) {
	p, err := openVerification(l, stored)
	if err != nil {
		return Verification{}, err
	}
	out := Verification{
		ID: l.ID, At: l.At, PolicyRevision: l.Revision,
		DecisionID: v.name(p.decision), RequestedBy: v.name(p.requestedBy), Turn: v.turn(&p.turn, l.At),
	}
	out.Segments = mapList(p.segments, func(s segment) policy.Segment {
		return policy.Segment{ItemID: v.name(s.item), Digest: v.name(s.digest),
			Overlaps: mapList(s.overlaps, func(o overlap) policy.Overlap {
				return policy.Overlap{ItemID: v.name(o.item), Prints: int(o.prints)}
			})}
	})
	out.Findings = mapList(p.findings, func(f finding) policy.Finding {
		return policy.Finding{Segment: int(f.segment), Kind: v.name(f.kind), ItemID: v.name(f.item)}
	})
	if err := v.take(); err != nil {
		return Verification{}, err
	}
	return out, nil
}

// mapList keeps nil apart from empty, as writeList does.
func mapList[A, B any](list []A, each func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = each(a)
	}
	return out
}

// verificationKind is how entries of the type "verification" are read.
type verificationKind struct{}

func (verificationKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.verification(l, stored)
	return err
}

func (verificationKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	p, err := openVerification(l, stored)
	if err != nil {
		return nil, err
	}
	var list []posting
	if p.decision != 0 {
		list = append(list, posting{byVerificationOf, int64(p.decision), seq})
	}
	if len(p.findings) > 0 {
		list = append(list, posting{byFinding, 0, seq})
	}
	return list, nil
}
