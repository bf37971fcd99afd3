package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"
)

// backupPages is how many pages of the database are copied at a time, between two looks at the context.
const backupPages = 4096

// Backup copies the ledger in a data folder into a new file, as it is at one moment, by SQLite's online
// backup. A server may run on the folder and goes on recording. Keys are not copied. Progress, unless it
// is nil, is called now and then with the pages copied and those there are.
//
// The copy is not verified: Restore does that, and so does Verify on a folder in which it is named
// decisions.db. What is erased later stays in the copy.
//
// Errors: ErrForeign and ErrNewer for what is no ledger; ErrUnavailable, ErrDamaged or the context's
// error. There is no file then. A file that exists already is an error that matches fs.ErrExist.
func Backup(ctx context.Context, dir, file string, progress func(done, all int)) (err error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("back up the log: %s: %w; name a new file", file, fs.ErrExist)
	}
	// Made under another name, so that what is there under this one is whole.
	partial := file + ".partial"
	made, err := os.OpenFile(partial, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("back up the log: %w: %w", ErrUnavailable, err)
	}
	err = made.Close()
	if err == nil {
		err = copyDatabase(ctx, filepath.Join(dir, databaseName), partial, progress)
	}
	if err == nil {
		err = putInPlace(partial, file)
	}
	if err != nil {
		return fmt.Errorf("back up the log: %w", errors.Join(err, os.Remove(partial)))
	}
	return nil
}

// putInPlace gives a file its name, unless that is taken, and makes it durable.
func putInPlace(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := os.Remove(from); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := syncFolder(filepath.Dir(to)); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// copyDatabase copies a ledger into an empty file.
func copyDatabase(ctx context.Context, from, to string, progress func(done, all int)) (err error) {
	var opened []func() error
	defer func() {
		for i := len(opened) - 1; i >= 0; i-- {
			err = errors.Join(err, opened[i]())
		}
	}()
	connect := func(path string, settings url.Values) (*sql.Conn, error) {
		settings.Set("mode", "rw") // and make none
		db, err := sql.Open("sqlite3", dsn(path, settings))
		if err != nil {
			return nil, err
		}
		opened = append(opened, db.Close)
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, openError(err)
		}
		opened = append(opened, conn.Close)
		return conn, nil
	}
	absolute, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	if _, err := os.Stat(absolute); err != nil {
		return fmt.Errorf("%w: there is no decision log: %w; name its data folder", ErrUnavailable, err)
	}
	source, err := connect(absolute, url.Values{"_busy_timeout": {"5000"}, "_query_only": {"true"}})
	if err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if version, err := readVersion(ctx, source, len(files)); err != nil {
		return err
	} else if version == 0 {
		return fmt.Errorf("%w: %s is empty; choose another folder", ErrForeign, databaseName)
	}
	if absolute, err = filepath.Abs(to); err != nil {
		return err
	}
	target, err := connect(absolute, url.Values{"_synchronous": {"FULL"}})
	if err != nil {
		return err
	}
	// A read that stays open holds on to one state: a backup begins again whenever it sees another.
	if _, err := source.ExecContext(ctx, "BEGIN"); err != nil {
		return storageError("begin to read", err)
	}
	var h head
	if err := source.QueryRowContext(ctx, selectHead).Scan(&h.seq, &h.handle); err != nil {
		return storageError("read the end of the ledger", err)
	}
	return source.Raw(func(from any) error {
		return target.Raw(func(to any) error { return copyPages(ctx, from, to, progress) })
	})
}

func copyPages(ctx context.Context, from, to any, progress func(done, all int)) (err error) {
	source, ok := from.(*sqlite3.SQLiteConn)
	target, too := to.(*sqlite3.SQLiteConn)
	if !ok || !too {
		return errors.New("the database driver is not SQLite's")
	}
	backup, err := target.Backup("main", source, "main")
	if err != nil {
		return storageError("begin the backup", err)
	}
	defer func() { err = errors.Join(err, storageError("end the backup", backup.Close())) }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		done, err := backup.Step(backupPages)
		if err != nil {
			return storageError("copy the database", err)
		}
		progress(backup.PageCount()-backup.Remaining(), backup.PageCount())
		if done {
			return nil
		}
	}
}
