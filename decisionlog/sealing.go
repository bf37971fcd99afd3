package decisionlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Sealing is a set of items whose labels were sealed, as it goes to the log.
type Sealing struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force.
	PolicyRevision string

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string

	// Tenant is empty in a single-tenant installation.
	Tenant string

	// Items are in the form of policy.Sealable.
	Items []policy.Candidate
}

// StoredSealing is a sealing as the ledger has it.
type StoredSealing struct {
	Sealing
	Log policy.Position
}

// RecordSealing appends a sealing to the ledger, on the terms of Record.
func (l *Log) RecordSealing(ctx context.Context, s *Sealing) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	head, err := newLeaf(leafSealing, s.ID, s.At, s.PolicyRevision)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, func() (*draft, error) {
		return encode(head, len(s.Items), l.known, func(f *form) error { return writeSealing(f, s) })
	})
}

// Sealing returns the sealing with this id. An erased name in it reads as in a decision.
//
// Errors: ErrNotFound, also where retention has emptied the payload; ErrDamaged, ErrClosed,
// ErrUnavailable or the context's error.
func (l *Log) Sealing(ctx context.Context, id string) (*StoredSealing, error) {
	var found *StoredSealing
	err := l.lookUpEntry(ctx, id, leafSealing, func(v *values, r *row, head *leaf) error {
		p, err := openSealing(head, r.payload)
		if err != nil {
			return err
		}
		s := &StoredSealing{Log: policy.Position{Index: uint64(r.seq), Leaf: tlog.RecordHash(r.leaf)}}
		s.Sealing, err = v.sealing(head, p)
		found = s
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("get a sealing: %w", err)
	}
	return found, nil
}

// Epoch grows with everything that is erased or pruned. What was read of the log before, and kept, may
// be gone where it has grown since.
func (l *Log) Epoch() uint64 { return l.epoch.Load() }

// SealedItem returns the labels of one item of a sealing, whole.
//
// Errors: ErrNotFound where there is no such item, or retention has emptied the payload, or a name
// among its labels was erased: an audience that lost a member is not the one that was sealed. Otherwise
// those of Sealing.
func (l *Log) SealedItem(ctx context.Context, sealingID string, position int) (*policy.Candidate, error) {
	var found *policy.Candidate
	err := l.lookUpEntry(ctx, sealingID, leafSealing, func(v *values, r *row, head *leaf) error {
		p, err := openSealing(head, r.payload)
		if err != nil {
			return err
		}
		if position < 0 || position >= len(p.items) {
			return ErrNotFound
		}
		item := v.candidate(p.items[position])
		if err := v.take(); err != nil {
			return err
		}
		if v.erased {
			return ErrNotFound
		}
		found = &item
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("get a sealed item: %w", err)
	}
	return found, nil
}

// lookUpEntry calls read with the first entry of this id and type whose payload is kept, or returns
// ErrNotFound. It asks the index as it stands before it waits for it, since rows are indexed in order:
// what is found there is the first.
func (l *Log) lookUpEntry(ctx context.Context, id, typ string, read func(*values, *row, *leaf) error) error {
	look := func(from *view) error {
		seq, err := l.first(ctx, from, id, func(t string) bool { return t == typ })
		if err != nil {
			return err
		}
		stored, err := readRow(ctx, from.tx, seq)
		if err != nil {
			return err
		}
		head, err := parseLeaf(stored.leaf)
		if err != nil {
			return stored.blame(err)
		}
		if stored.payload == nil {
			return ErrNotFound
		}
		err = read(newValues(ctx, from.tx, l.documents), &stored, &head)
		if isDamage(err) {
			err = stored.blame(err)
		}
		return err
	}
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return err
	}
	err = errors.Join(look(&view{tx: tx}), end())
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return l.snapshot(ctx, look)
}

// sealing is one sealing in handles, beside what its leaf holds. An item is a candidate document.
type sealing struct {
	revision, requestedBy, tenant uint64
	items                         []uint64
}

// writeSealing writes what follows version and salt. Its order is that of parseSealing.
func writeSealing(f *form, s *Sealing) error {
	f.name(s.PolicyRevision)
	f.name(s.RequestedBy)
	f.name(s.Tenant)
	f.number(uint64(len(s.Items)))
	for i := range s.Items {
		writeCandidate(f, &s.Items[i])
	}
	return nil
}

// parseSealing reads the stored bytes of a payload, whose handles must be below next.
func parseSealing(b []byte, next uint64) (*sealing, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	s := &sealing{revision: r.handle(), requestedBy: r.handle(), tenant: r.handle()}
	s.items = make([]uint64, r.count())
	for i := range s.items {
		s.items[i] = r.handle()
	}
	return s, r.end()
}

// openSealing reads the payload of a sealing that a leaf commits to.
func openSealing(l *leaf, stored []byte) (*sealing, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parseSealing(stored, l.Defines.next())
}

// sealing puts the sealing together again from its leaf and its payload.
func (v *values) sealing(l *leaf, p *sealing) (Sealing, error) {
	s := Sealing{
		ID: l.ID, At: l.At, PolicyRevision: l.Revision,
		RequestedBy: v.name(p.requestedBy), Tenant: v.name(p.tenant),
		Items: make([]policy.Candidate, len(p.items)),
	}
	for i, item := range p.items {
		if s.Items[i] = v.candidate(item); v.err != nil {
			break
		}
	}
	if err := v.take(); err != nil {
		return Sealing{}, err
	}
	return s, nil
}

// sealingKind is how entries of the type "sealing" are read.
type sealingKind struct{}

func (sealingKind) check(v *values, l *leaf, stored []byte) error {
	p, err := openSealing(l, stored)
	if err == nil {
		_, err = v.sealing(l, p)
	}
	return err
}

func (sealingKind) postings(_ *values, _ int64, l *leaf, stored []byte) ([]posting, error) {
	_, err := openSealing(l, stored)
	return nil, err
}
