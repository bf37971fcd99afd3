package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	insertBundle = `INSERT OR IGNORE INTO bundle (revision, archive) VALUES (?, ?)`
	selectBundle = `SELECT archive FROM bundle WHERE revision = ?`
)

// KeepBundle keeps the files of a policy, as policy.Engine.Archive has them, under its revision. It is
// called before the policy decides. One that is there stays as it is.
//
// Errors: those of Record.
func (l *Log) KeepBundle(ctx context.Context, revision string, archive []byte) error {
	err := l.run(ctx, func(w *writer) error {
		return w.transaction("keep a policy", func() error {
			_, err := w.conn.ExecContext(background(), insertBundle, revision, archive)
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("keep the policy %s: %w", revision, err)
	}
	return nil
}

// Bundle returns the archive of the policy with a revision.
//
// Errors: ErrNotFound, ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Bundle(ctx context.Context, revision string) (archive []byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, _ uint64) error {
		err := lookUp(ctx, tx, "read a policy", selectBundle, []any{revision}, &archive)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the policy %s: %w", revision, err)
	}
	return archive, nil
}
