package decisionlog

import (
	"context"
	"fmt"
	"slices"
	"time"

	"earshot/policy"
)

// Erasure is an order to forget one name: that of a person, an agent or an item.
type Erasure struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force; empty where none is.
	PolicyRevision string

	// Name is what to forget, byte for byte. It goes into no entry.
	Name string

	// RequestedBy names the credential that asked; empty where no authentication is configured. It is
	// left out of the entry where it would say the name.
	RequestedBy string

	// Reason is one of ErasureReasons.
	Reason string
}

// ErasureReasons are the grounds of an erasure. The first one is for whoever gives none; the others are
// those of the GDPR, article 17(1)(a) to (f).
func ErasureReasons() []string {
	return []string{
		"data_subject_request", "no_longer_needed", "consent_withdrawn", "objection",
		"unlawful_processing", "legal_obligation", "child_consent",
	}
}

// StoredErasure is an erasure as the ledger has it. It names nobody.
type StoredErasure struct {
	ID             string
	At             time.Time
	PolicyRevision string
	RequestedBy    string
	Reason         string

	// Handles are the names that are gone, ascending; each reads as "erased-" and its number. The one
	// that was asked for is Handles[Asked]; Asked is -1 where only texts that contain it were there.
	Handles []uint64
	Asked   int

	// Fingerprints and Receipts count what was deleted with them: fingerprints of an item's text, and
	// envelopes that said the name.
	Fingerprints, Receipts uint64

	Log policy.Position
}

// Erase forgets a name, with every text that contains it or can be compared with guesses of it: JSON
// texts, seals, sentences about faults, digests of viewer sets and of hand-offs; of an item also its
// content digest and fingerprints; and it empties the receipts that say it. What decisions, hand-offs and
// proofs commit to stays, and a name that was forgotten reads as "erased-" and its handle wherever it
// stood. A part of a longer word is another name. What was handed out before is out of reach: receipts,
// exports, backups, blocks that the disk has replaced.
//
// The act is one entry of the ledger, in the same commit. Once Erase returns without an error no file of
// the data folder has the text any more, save that Lingering is true where a reader was in the way: then
// old frames of the write-ahead log go as soon as it is done, or with the next start.
//
// Errors: ErrNotFound, with which nothing was written; ErrUnencodable for an order without sense;
// otherwise those of Record.
func (l *Log) Erase(ctx context.Context, e Erasure) (done *StoredErasure, lingering bool, err error) {
	done, err = l.erase(ctx, &e)
	if err == nil {
		lingering, err = l.scrub(ctx)
	}
	if err != nil {
		return done, true, fmt.Errorf("erase a name: %w", err)
	}
	return done, lingering, nil
}

func (l *Log) erase(ctx context.Context, e *Erasure) (*StoredErasure, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	// Most of the search goes on beside the writer; it has only what came since to look through.
	t := newTraces(e.Name)
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return nil, err
	}
	err = t.search(ctx, tx, l.keys.name)
	if endErr := end(); err == nil {
		err = endErr
	}
	if err != nil {
		return nil, err
	}
	var done *StoredErasure
	err = l.run(ctx, func(w *writer) (err error) {
		done, err = w.erase(e, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

func (e *Erasure) check() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("%w: the name to erase is empty", ErrUnencodable)
	case !slices.Contains(ErasureReasons(), e.Reason):
		return fmt.Errorf("%w: %q is no reason of an erasure", ErrUnencodable, e.Reason)
	}
	return nil
}

const (
	eraseName    = `UPDATE name SET hash = randomblob(16), salt = zeroblob(16), text = zeroblob(length(text)) WHERE handle = ?`
	emptyPayload = `UPDATE entry SET payload = NULL WHERE seq = ?`
)

// erase completes the search and does what it found, in one transaction.
func (w *writer) erase(e *Erasure, t *traces) (*StoredErasure, error) {
	head, err := newLeaf(leafErasure, e.ID, e.At, e.PolicyRevision)
	if err != nil {
		return nil, err
	}
	// Only the writer changes what is searched.
	if err := t.search(background(), w.conn, w.log.keys.name); err != nil {
		return nil, err
	}
	if len(t.names) == 0 && len(t.receipts) == 0 {
		return nil, ErrNotFound
	}
	// Nothing enters the cache while the writer is here. A draft that was made with a handle out of it
	// is told by its epoch, which is read before the cache.
	w.log.known.Purge()
	w.log.epoch.Add(1)

	done := &StoredErasure{ID: e.ID, At: head.At, PolicyRevision: e.PolicyRevision, RequestedBy: e.RequestedBy, Reason: e.Reason}
	if t.says(e.RequestedBy) {
		done.RequestedBy = ""
	}
	err = w.transaction("erase a name", func() error {
		done.Handles, done.Asked = t.handles()
		for _, handle := range done.Handles {
			if _, err := w.conn.ExecContext(background(), eraseName, int64(handle)); err != nil {
				return err
			}
		}
		if t.handle != 0 {
			result, err := w.conn.ExecContext(background(), deletePrints, int64(t.handle))
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			done.Fingerprints = uint64(n)
		}
		for _, seq := range t.receipts {
			if _, err := w.conn.ExecContext(background(), emptyPayload, seq); err != nil {
				return err
			}
		}
		done.Receipts = uint64(len(t.receipts))
		d, err := encode(head, 0, w.log.known, func(f *form) error { return writeErasure(f, done) })
		if err != nil {
			return err
		}
		d.epoch = w.log.epoch.Load()
		done.Log, err = w.append(d)
		return err
	})
	if err != nil {
		return nil, err
	}
	// Once more: whoever read names between then and the commit may have kept them as of now.
	w.log.epoch.Add(1)
	w.committedAll()
	return done, nil
}
