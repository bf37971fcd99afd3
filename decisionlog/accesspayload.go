package decisionlog

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/google/uuid"
)

// accessRef is a filter in handles: 0 where the ledger has no such name.
type accessRef struct {
	stated bool
	handle uint64
}

// names returns the filters of a that are names, in the order in which the payload has them.
func (a *Access) names() []*string {
	q := &a.Query
	return []*string{&a.Principal, &q.Item, &q.Viewer, &q.Agent, &q.Channel, &q.Tenant, &q.Verdict, &q.Reason, &q.PolicyRevision}
}

// references looks up the filters of a question. A name that is erased afterwards is erased here too, and
// one that was erased before is not found.
func (l *Log) references(ctx context.Context, a *Access) (refs []accessRef, err error) {
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	for _, name := range a.names() {
		ref := accessRef{stated: *name != ""}
		if ref.stated {
			handle, err := findHandle(ctx, tx, l.keys.name, *name)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return nil, err
			}
			ref.handle = uint64(handle)
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// writeAccess writes what follows version and salt. Its order is that of access.
func writeAccess(f *form, a *Access, refs []accessRef) {
	f.name(a.PolicyRevision)
	f.name(a.RequestedBy)
	f.name(a.Door)
	f.name(a.Kind)
	writeID(f, a.DecisionID)
	for _, ref := range refs {
		f.flag(ref.stated)
		f.number(ref.handle)
	}
	q := &a.Query
	f.flag(q.Admit != nil)
	f.flag(q.Admit != nil && *q.Admit)
	f.moment(q.From, epoch())
	f.moment(q.To, epoch())
	f.number(uint64(q.Limit))
	f.flag(q.Cursor != "")
	f.integer(int64(a.Results))
}

// writeID writes the id of an entry as two numbers, and nothing of what is none.
func writeID(f *form, id string) {
	parsed, err := uuid.Parse(id)
	ok := err == nil && parsed.String() == id
	f.flag(ok)
	if ok {
		f.number(binary.BigEndian.Uint64(parsed[:8]))
		f.number(binary.BigEndian.Uint64(parsed[8:]))
	}
}

func readID(r *reader) string {
	if !r.flag() {
		return ""
	}
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], r.number())
	binary.BigEndian.PutUint64(id[8:], r.number())
	return id.String()
}

// Continued is the cursor of a recorded question that asked for a page behind the first.
const Continued = "(continued)"

// access puts a question together again from its leaf and its payload.
func (v *values) access(l *leaf, stored []byte) (Access, error) {
	if digestOf(stored) != l.Payload {
		return Access{}, damaged("the payload does not match its leaf")
	}
	r, err := payloadReader(stored, l.Defines.next())
	if err != nil {
		return Access{}, err
	}
	r.handle() // the revision, which the leaf has
	a := Access{
		ID: l.ID, At: l.At, PolicyRevision: l.Revision,
		RequestedBy: v.name(r.handle()), Door: v.name(r.handle()), Kind: v.name(r.handle()), DecisionID: readID(r),
	}
	for _, name := range a.names() {
		switch stated, handle := r.flag(), r.handle(); {
		case handle != 0:
			*name = v.name(handle)
		case stated:
			*name = NotInLedger
		}
	}
	q := &a.Query
	if stated, admit := r.flag(), r.flag(); stated {
		q.Admit = &admit
	}
	q.From, q.To = r.moment().after(epoch()), r.moment().after(epoch())
	q.Limit = int(r.number())
	if r.flag() {
		q.Cursor = Continued
	}
	a.Results = int(r.integer())
	if err := r.end(); err != nil {
		return Access{}, err
	}
	return a, v.take()
}

// accessKind is how entries of the type "access" are read.
type accessKind struct{}

func (accessKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.access(l, stored)
	return err
}

func (accessKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return []posting{{byAccess, 0, seq}}, nil
}
