package decisionlog

import (
	"context"
	"fmt"
)

// Compact writes the database anew, without the space that is free in it. SQLite can leave copies of what
// it moved in the gaps of pages: of keyed hashes of names, and of payloads. After an erasure this is what
// takes away the last that could be compared with guesses. It needs room for a second copy of the
// database and holds up every decision meanwhile.
//
// Errors: ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Compact(ctx context.Context) error {
	err := l.run(ctx, func(w *writer) error {
		if err := w.files.untouched(); err != nil {
			return err
		}
		_, err := w.conn.ExecContext(background(), `VACUUM`)
		w.files.leave()
		return storageError("compact the database", err)
	})
	if err == nil {
		_, err = l.scrub(ctx)
	}
	if err != nil {
		return fmt.Errorf("compact the log: %w", err)
	}
	return nil
}
