package decisionlog

import (
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// retention is one commit of a pruning, beside what its leaf holds. Its rows are numbers.
type retention struct {
	requestedBy            uint64
	before                 instant
	from, to, pruned, held uint64
}

// writeRetention writes what follows version and salt. Its order is that of parseRetention.
func writeRetention(f *form, s *StoredRetention) {
	f.name(s.RequestedBy)
	f.moment(s.Before, epoch())
	f.number(s.From)
	f.number(s.To)
	f.number(s.Pruned)
	f.number(s.Held)
}

// appendRetention adds the entry to the open transaction.
func (w *writer) appendRetention(s *StoredRetention) error {
	head, err := newLeaf(leafRetention, s.ID, s.At, "")
	if err != nil {
		return err
	}
	d, err := encode(head, 0, w.log.known, func(f *form) error {
		writeRetention(f, s)
		return nil
	})
	if err != nil {
		return err
	}
	d.epoch = w.log.epoch.Load()
	s.Log, err = w.append(d)
	return err
}

// parseRetention reads the stored bytes of a payload, whose handles must be below next.
func parseRetention(b []byte, next uint64) (*retention, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	p := &retention{
		requestedBy: r.handle(), before: r.moment(),
		from: r.number(), to: r.number(), pruned: r.number(), held: r.number(),
	}
	if p.from > p.to || p.pruned > p.to-p.from || p.held > p.to-p.from-p.pruned {
		r.fail("a retention counts more rows than it has")
	}
	return p, r.end()
}

// openRetention reads the payload of a retention that a leaf commits to.
func openRetention(l *leaf, stored []byte) (*retention, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parseRetention(stored, l.Defines.next())
}

// retention puts the retention in a row together again; nil where its payload is gone.
func (v *values) retention(stored *row, l *leaf) (*StoredRetention, error) {
	if stored.payload == nil {
		return nil, nil
	}
	p, err := openRetention(l, stored.payload)
	if err != nil {
		return nil, err
	}
	s := &StoredRetention{
		ID: l.ID, At: l.At, RequestedBy: v.name(p.requestedBy), Before: p.before.after(time.Unix(0, 0)),
		From: p.from, To: p.to, Pruned: p.pruned, Held: p.held,
	}
	s.Log.Index, s.Log.Leaf = uint64(stored.seq), tlog.RecordHash(stored.leaf)
	return s, v.take()
}

// retentionKind is how entries of the type "retention" are read.
type retentionKind struct{}

func (retentionKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.retention(&row{payload: stored}, l)
	return err
}

func (retentionKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	if _, err := openRetention(l, stored); err != nil {
		return nil, err
	}
	return []posting{{byRetention, 0, seq}}, nil
}
