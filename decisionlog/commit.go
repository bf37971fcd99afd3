package decisionlog

import (
	"errors"
	"fmt"

	"earshot/policy"
)

var (
	// errPanic means that the writer met a fault of its own; it goes on with the next entry.
	errPanic = errors.New("the writer panicked")

	// errOneEntry means that a value of one entry cannot be stored; others can.
	errOneEntry = errors.New("a value of the entry cannot be stored")

	// errErased means that a name was erased after the handles of the entry were looked up. It must be
	// encoded again.
	errErased = errors.New("a name was erased meanwhile")
)

// head is the end of the ledger.
type head struct {
	seq    uint64
	handle uint64
}

const selectHead = `SELECT (SELECT ifnull(max(seq), -1) + 1 FROM entry),
	(SELECT ifnull(max(handle), 0) + 1 FROM definition)`

// commit records a batch and answers every job in it. If the batch fails because of one of its
// entries, each gets an attempt of its own.
func (w *writer) commit(batch []*job) {
	positions, err := w.attempt(batch)
	if err != nil && len(batch) > 1 && ofOneEntry(err) {
		for _, j := range batch {
			w.commit([]*job{j})
		}
		return
	}
	if err == nil || !ofOneEntry(err) {
		w.log.health.learn(err)
	}
	for i, j := range batch {
		if err != nil {
			j.done <- recorded{err: err}
			continue
		}
		j.done <- recorded{positions: positions[i]}
	}
}

// attempt records a batch in one transaction, or nothing of it.
func (w *writer) attempt(batch []*job) (positions [][]policy.Position, err error) {
	err = w.guard(func(w *writer) error {
		return w.transaction("commit decisions", func() error {
			for _, j := range batch {
				list := make([]policy.Position, len(j.drafts))
				for i, d := range j.drafts {
					position, err := w.append(d)
					if err != nil {
						return err
					}
					list[i] = position
				}
				positions = append(positions, list)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	w.committedAll()
	return positions, nil
}

// committedAll takes note that what the last transaction appended is durable.
func (w *writer) committedAll() {
	for k, handle := range w.pending {
		w.log.known.Add(k, handle)
	}
	clear(w.pending)
	w.confirmed = w.next
	w.log.committed.Store(w.next.seq)
	w.paused = false
}

// transaction runs do between BEGIN and COMMIT. After any failure the end of the ledger is unknown
// until it was read again: even a COMMIT that failed may have reached the disk.
func (w *writer) transaction(doing string, do func() error) (err error) {
	done := false
	defer func() {
		if !done {
			w.abandon()
		}
	}()
	if err := w.files.untouched(); err != nil {
		return err
	}
	defer w.files.leave()
	if w.stale {
		if err := w.recall(); err != nil {
			return err
		}
	}
	if _, err := w.conn.ExecContext(background(), "BEGIN IMMEDIATE"); err != nil {
		return storageError(doing, err)
	}
	if err := do(); err != nil {
		return storageError(doing, err)
	}
	if err := w.writeTree(); err != nil {
		return storageError(doing, err)
	}
	if _, err := w.conn.ExecContext(background(), "COMMIT"); err != nil {
		return storageError(doing, err)
	}
	done = true
	return nil
}

// abandon gives up the open transaction, if there is one, with everything that was given out in it.
func (w *writer) abandon() {
	w.stale = true
	clear(w.pending)
	// It fails where SQLite has rolled back by itself, or never began. Where a transaction stays
	// open, the next BEGIN fails and leads back here.
	_, _ = w.conn.ExecContext(background(), "ROLLBACK")
}

// recall reads again, after a failure, where the ledger and its tree end.
func (w *writer) recall() (err error) {
	if err := w.readHead(); err != nil {
		return err
	}
	if w.tree, err = readTree(background(), w.conn, w.next.seq); err != nil {
		w.stale = true
	}
	return err
}

// readHead reads the end of the ledger from the database.
func (w *writer) readHead() error {
	var h head
	if err := w.conn.QueryRowContext(background(), selectHead).Scan(&h.seq, &h.handle); err != nil {
		return storageError("read the end of the ledger", err)
	}
	if h.seq < w.confirmed.seq || h.handle < w.confirmed.handle {
		return damaged("the ledger has %d rows and had %d; stop the service and restore the folder from a backup", h.seq, w.confirmed.seq)
	}
	w.next, w.confirmed, w.stale = h, h, false
	// A commit that seemed to fail may have succeeded.
	w.log.committed.Store(h.seq)
	return nil
}

// guard turns a panic into an error, so that no caller is left waiting.
func (w *writer) guard(do func(*writer) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.abandon()
			err = fmt.Errorf("%w: %w: %v", ErrUnavailable, errPanic, p)
		}
	}()
	return do(w)
}
