package decisionlog

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/mattn/go-sqlite3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a database as a decision log: "Ears" in ASCII.
const applicationID = 0x45617273

// migrate brings the database to the newest version, in one transaction. It refuses one that is not
// a decision log, or newer, without touching it.
func migrate(ctx context.Context, conn *sql.Conn) (err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	version, err := readVersion(ctx, conn, len(files))
	if err != nil {
		return err
	}
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return storageError("switch on the write-ahead log", err)
	}
	if mode != "wal" {
		return fmt.Errorf("%w: the write-ahead log cannot be switched on here; choose a folder on a local disk", ErrUnavailable)
	}
	if version == len(files) {
		return nil
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return storageError("migrate", err)
	}
	defer func() {
		if err != nil {
			// The first error is the one that matters; the connection is closed next.
			_, _ = conn.ExecContext(background(), "ROLLBACK")
		}
	}()
	for i := version; i < len(files); i++ {
		script, err := migrations.ReadFile(files[i])
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(script)); err != nil {
			return storageError("migrate with "+files[i], err)
		}
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(files))
	if _, err := conn.ExecContext(ctx, mark); err != nil {
		return storageError("mark the database", err)
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return storageError("migrate", err)
	}
	return nil
}

// readVersion returns how many migrations the database has had; none if it is empty.
func readVersion(ctx context.Context, conn *sql.Conn, newest int) (int, error) {
	var id, version, tables int
	err := conn.QueryRowContext(ctx, `SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id a, pragma_user_version v`).Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return 0, openError(err)
	case id == 0 && version == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fmt.Errorf("%w: %s belongs to another program; choose another folder", ErrForeign, databaseName)
	case version > newest:
		return 0, fmt.Errorf("%w: it has version %d and this program knows up to %d; install the newer program", ErrNewer, version, newest)
	}
	return version, nil
}

// openError tells a file that never was a database from one that is broken or out of reach.
func openError(err error) error {
	if cause, ok := errors.AsType[sqlite3.Error](err); ok && cause.Code == sqlite3.ErrNotADB {
		return fmt.Errorf("%w: %s is not a SQLite database; choose another folder, or restore it from a backup", ErrForeign, databaseName)
	}
	return storageError("open the database", err)
}

// identify returns the ledger's key for cursors and checks its origin; a new ledger gets both.
func identify(ctx context.Context, conn *sql.Conn, origin string) ([]byte, error) {
	fresh := make([]byte, 32)
	rand.Read(fresh)
	if _, err := conn.ExecContext(ctx, `INSERT INTO ledger (one, origin, cursor_key) VALUES (1, ?, ?)
		ON CONFLICT DO NOTHING`, origin, fresh); err != nil {
		return nil, storageError("name the ledger", err)
	}
	if _, err := conn.ExecContext(ctx, `UPDATE ledger SET origin = ? WHERE origin = ''`, origin); err != nil {
		return nil, storageError("name the ledger", err)
	}
	var key []byte
	var stored string
	if err := conn.QueryRowContext(ctx, `SELECT origin, cursor_key FROM ledger`).Scan(&stored, &key); err != nil {
		return nil, storageError("read the ledger's name", err)
	}
	if origin != "" && origin != stored {
		return nil, fmt.Errorf("%w: the folder holds the ledger %q, not %q; choose another folder or set the origin back", ErrForeign, stored, origin)
	}
	return key, nil
}
