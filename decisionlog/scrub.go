package decisionlog

import (
	"context"
	"strconv"
	"time"
)

const (
	// scrubPatience is how often, and scrubPause after which time, a truncation is tried again that a
	// reader is in the way of. The busy timeout of the connection is too long for the writer to wait.
	scrubPatience = 10
	scrubPause    = 20 * time.Millisecond

	truncateWAL    = `PRAGMA wal_checkpoint(TRUNCATE)`
	setBusyTimeout = `PRAGMA busy_timeout = `
)

// scrub cuts the write-ahead log, whose old frames have what an erasure deleted. It reports whether some
// linger since a reader is in the way; then the writer goes on trying.
func (l *Log) scrub(ctx context.Context) (lingering bool, err error) {
	for range scrubPatience {
		err = l.run(ctx, func(w *writer) (err error) {
			err = w.truncate()
			lingering = w.lingering
			return err
		})
		if err != nil || !lingering {
			return lingering, err
		}
		select {
		case <-time.After(scrubPause):
		case <-ctx.Done():
			return true, nil
		}
	}
	return true, nil
}

// truncate moves the write-ahead log into the database and cuts it to nothing, unless a reader is in the
// way. Then lingering stays set.
func (w *writer) truncate() error {
	w.lingering = true
	if w.files != nil {
		if err := w.files.untouched(); err != nil {
			return err
		}
		defer w.files.leave()
	}
	if _, err := w.conn.ExecContext(background(), setBusyTimeout+"0"); err != nil {
		return storageError("cut the write-ahead log", err)
	}
	var busy, frames, moved int64
	err := w.conn.QueryRowContext(background(), truncateWAL).Scan(&busy, &frames, &moved)
	if _, restoreErr := w.conn.ExecContext(background(), setBusyTimeout+strconv.FormatInt(w.log.config.BusyTimeout.Milliseconds(), 10)); err == nil {
		err = restoreErr
	}
	if err != nil {
		return storageError("cut the write-ahead log", err)
	}
	w.lingering = busy != 0
	return nil
}

// truncateWhenIdle tries again what a reader was in the way of. An error is met again by the next commit,
// or the next try.
func (w *writer) truncateWhenIdle() {
	if w.lingering {
		_ = w.guard((*writer).truncate)
	}
}
