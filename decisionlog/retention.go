package decisionlog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/policy"
)

// Retention is how long payloads are kept.
type Retention struct {
	// Age is how old a payload becomes; zero keeps all.
	Age time.Duration

	// Holds keep what matches any of them whatever its age.
	Holds []Hold
}

// Hold is a legal hold: a decision or hand-off matches where all that is stated does. Entries of other
// types have no such labels, so a hold keeps those of its time.
type Hold struct {
	Viewer, Item, Agent, Channel, Tenant string

	// From and To bound the entry's clock; From is included, To is not. Zero leaves an end open.
	From, To time.Time
}

// At returns the order to prune what is too old at a moment.
func (r Retention) At(now time.Time, newID func() (string, error)) Pruning {
	p := Pruning{Now: now.UTC().Truncate(time.Microsecond), Holds: r.Holds, NewID: newID}
	if r.Age > 0 {
		p.Before = p.Now.Add(-r.Age)
	}
	return p
}

// Pruning is an order to empty payloads.
type Pruning struct {
	// Before is the clock from which on entries are kept; zero keeps all.
	Before time.Time
	Holds  []Hold

	// Now is the clock of the entries that record what was emptied, in whole microseconds.
	Now time.Time

	// NewID returns a fresh UUID version 7 for each of them.
	NewID func() (string, error)

	// RequestedBy names who asked; empty for the service itself.
	RequestedBy string
}

// StoredRetention is what one commit of a pruning emptied, as the ledger has it.
type StoredRetention struct {
	ID          string
	At          time.Time
	RequestedBy string

	// Before is the clock from which on entries were kept.
	Before time.Time

	// From and To are the rows that were looked at; To is excluded. Pruned of them were emptied, Held
	// were kept for a hold.
	From, To, Pruned, Held uint64

	Log policy.Position
}

// Pruned is what came of a pruning.
type Pruned struct{ Pruned, Held uint64 }

// pruneBatch is how many rows one commit looks at. It bounds how long a decision waits for it.
const pruneBatch = 1024

// Prune empties payloads that are older than the order allows, in small commits between those of
// decisions, each of which records what it emptied. Leaves and the tree stay, so every proof still
// verifies. Entries about erasures, retention and access are kept. Names that only emptied payloads used
// stay until they are erased. It stops at the first entry that is not too old: clocks that stepped back
// make it keep more. What a hold kept is looked at again when the holds change.
//
// Errors: ErrClosed, ErrUnavailable, ErrDamaged or the context's error; what was emptied is recorded.
func (l *Log) Prune(ctx context.Context, p Pruning) (all Pruned, err error) {
	if p.Before.IsZero() {
		return all, nil
	}
	for more := true; more; {
		err := l.run(ctx, func(w *writer) error {
			part, goOn, err := w.prune(&p)
			more = goOn
			all.Pruned += part.Pruned
			all.Held += part.Held
			return err
		})
		if err != nil {
			return all, fmt.Errorf("prune the log: %w", err)
		}
	}
	return all, nil
}

const (
	selectRetention = `SELECT entries, holds FROM retention`
	upsertRetention = `INSERT INTO retention (one, entries, holds) VALUES (1, ?, ?)
		ON CONFLICT (one) DO UPDATE SET entries = excluded.entries, holds = excluded.holds`
	deletePosting = `DELETE FROM posting WHERE kind = ? AND key = ? AND seq = ?`
)

// prune looks at the next rows and empties those that are too old. It reports whether there may be more.
func (w *writer) prune(p *Pruning) (Pruned, bool, error) {
	text, err := json.Marshal(p.Holds)
	if err != nil {
		return Pruned{}, false, err
	}
	// A digest: holds name people, who may be erased.
	sum := hashHolds(w.log.keys.name, text)
	var from int64
	var holds []byte
	err = w.conn.QueryRowContext(background(), selectRetention).Scan(&from, &holds)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return Pruned{}, false, storageError("read the state of retention", err)
	case string(holds) != string(sum):
		from = 0
	}
	rows, err := readRows(background(), w.conn, uint64(from), pruneBatch)
	if err != nil {
		return Pruned{}, false, storageError("read the ledger", err)
	}
	s := StoredRetention{At: p.Now, RequestedBy: p.RequestedBy, Before: p.Before, From: uint64(from), To: uint64(from)}
	empty, err := w.tooOld(p, rows, &s)
	if err != nil {
		return Pruned{}, false, err
	}
	if s.To == s.From {
		return Pruned{}, false, nil
	}
	if s.ID, err = p.NewID(); err != nil {
		return Pruned{}, false, err
	}
	err = w.transaction("prune the log", func() error {
		for _, old := range empty {
			if _, err := w.conn.ExecContext(background(), emptyPayload, old.seq); err != nil {
				return err
			}
			// The index says as much of a decision as the payload does.
			for _, p := range old.postings {
				if _, err := w.conn.ExecContext(background(), deletePosting, int64(p.kind), p.key, p.seq); err != nil {
					return err
				}
			}
		}
		if _, err := w.conn.ExecContext(background(), upsertRetention, int64(s.To), sum); err != nil {
			return err
		}
		if len(empty) == 0 {
			return nil
		}
		return w.appendRetention(&s)
	})
	if err != nil {
		return Pruned{}, false, err
	}
	w.log.epoch.Add(1)
	w.committedAll()
	return Pruned{s.Pruned, s.Held}, s.To == uint64(from)+uint64(len(rows)) && len(rows) == pruneBatch, nil
}

// hashHolds returns what tells holds apart and names nobody.
func hashHolds(key, text []byte) []byte {
	sum := sha256.Sum256(append(slices.Clone(key), text...))
	return sum[:]
}

// oldRow is a row whose payload is to be emptied, with what the index has of it.
type oldRow struct {
	seq      int64
	postings []posting
}

// tooOld returns the rows whose payload is to be emptied, and counts in s what was looked at.
func (w *writer) tooOld(p *Pruning, rows []row, s *StoredRetention) (empty []oldRow, err error) {
	holds, err := w.findHolds(p.Holds)
	if err != nil {
		return nil, err
	}
	v := newValues(background(), w.conn, w.log.documents)
	for i := range rows {
		r := &rows[i]
		l, err := parseLeaf(r.leaf)
		if err != nil || uint64(r.seq) != s.To {
			return empty, damaged("ledger row %d cannot be read; see with pdp log verify", s.To)
		}
		if !l.At.Before(p.Before) {
			return empty, nil
		}
		s.To++
		if r.payload == nil || !expires(l.Type) {
			continue
		}
		postings, err := kindOf(l.Type).postings(v, r.seq, &l, r.payload)
		switch {
		case err != nil && !isDamage(err):
			return nil, err
		case err != nil || held(holds, &l, postings): // what is damaged is kept for whoever looks into it
			s.Held++
		default:
			s.Pruned++
			empty = append(empty, oldRow{r.seq, postings})
		}
	}
	return empty, nil
}

// expires reports whether retention empties entries of a type.
func expires(typ string) bool {
	switch typ {
	case leafDecision, leafHandoff, leafReceipt, leafSealing, leafVerification:
		return true
	default:
		return false
	}
}
