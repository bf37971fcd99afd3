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
	if err := checkSchema(ctx, conn, files[:version]); err != nil {
		return err
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
	if err := runMigrations(ctx, conn, files[version:]); err != nil {
		return err
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

func runMigrations(ctx context.Context, conn *sql.Conn, files []string) error {
	for _, file := range files {
		script, err := migrations.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(script)); err != nil {
			return storageError("migrate with "+file, err)
		}
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

// keys are the secrets of one ledger.
type keys struct {
	// cursor signs the cursors of pages, name is the key of nameHash.
	cursor, name []byte
}

// readKeys returns the keys of the ledger; a new ledger gets some.
func readKeys(ctx context.Context, conn *sql.Conn) (keys, error) {
	fresh := make([]byte, 64)
	rand.Read(fresh)
	_, err := conn.ExecContext(ctx, `INSERT INTO ledger (one, cursor_key, name_key) VALUES (1, ?, ?) ON CONFLICT DO NOTHING`,
		fresh[:32], fresh[32:])
	if err != nil {
		return keys{}, storageError("make the ledger's keys", err)
	}
	var k keys
	if err := conn.QueryRowContext(ctx, `SELECT cursor_key, name_key FROM ledger`).Scan(&k.cursor, &k.name); err != nil {
		return keys{}, storageError("read the ledger's keys", err)
	}
	return k, nil
}
