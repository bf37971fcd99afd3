package decisionlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// keysName is the folder of the keys in a data folder, and indexName the file with the public ones.
const (
	keysName  = "keys"
	indexName = "index.jwks"
)

// Restore has what to put back.
type Restore struct {
	// File is what Backup wrote.
	File string

	// Keys is a file with the public keys of the ledger, as the data folder has it in keys/index.jwks.
	// Where Dir has keys they count instead. Empty, and without keys in Dir, a ledger that has checkpoints
	// cannot be restored: nobody could tell who signed them.
	Keys string

	// Dir is the data folder. It may have keys and must have no ledger; it is made if absent.
	Dir string

	// Verify says what to hold the ledger against before it is put in place.
	Verify VerifyConfig
}

// Run copies the ledger beside its place, verifies all of it there, and only then puts it in place. It
// returns what the verification found. What was erased after the backup is in it again, and must be
// erased again.
//
// Errors: ErrInUse; an error that matches fs.ErrExist where the folder has a ledger; otherwise those of
// Open and Verify. The folder has no ledger then.
func (r Restore) Run(ctx context.Context) (found Verified, err error) {
	found, err = r.run(ctx)
	if err != nil {
		return found, fmt.Errorf("restore the log: %w", err)
	}
	return found, nil
}

func (r Restore) run(ctx context.Context) (found Verified, err error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return found, err
	}
	if err := makeFolder(dir, syncFolder); err != nil {
		return found, fmt.Errorf("%w: make the data folder: %w", ErrUnavailable, err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(filepath.Join(dir, databaseName+suffix)); !errors.Is(err, fs.ErrNotExist) {
			return found, fmt.Errorf("%s has the file %s: %w; name another folder, or move the old ledger away", dir, databaseName+suffix, fs.ErrExist)
		}
	}
	beside, err := os.MkdirTemp(dir, ".restore-")
	if err != nil {
		return found, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(beside)) }()

	if err := copyFile(ctx, r.File, filepath.Join(beside, databaseName)); err != nil {
		return found, err
	}
	hasKeys, err := r.copyKeys(ctx, dir, beside)
	if err != nil {
		return found, err
	}
	if found, err = verifyFolder(ctx, beside, r.Verify); err != nil {
		return found, err
	}
	if !hasKeys && r.Keys != "" {
		if err := os.Rename(filepath.Join(beside, keysName), filepath.Join(dir, keysName)); err != nil {
			return found, fmt.Errorf("%w: put the keys in place: %w", ErrUnavailable, err)
		}
	}
	return found, putInPlace(filepath.Join(beside, databaseName), filepath.Join(dir, databaseName))
}

// copyKeys copies the public keys that checkpoints are verified with, and reports whether dir has some.
func (r Restore) copyKeys(ctx context.Context, dir, beside string) (has bool, err error) {
	from := filepath.Join(dir, keysName, indexName)
	if _, err := os.Lstat(from); err == nil {
		has = true
	} else if from = r.Keys; from == "" {
		return false, nil
	}
	folder := filepath.Join(beside, keysName)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return has, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return has, copyFile(ctx, from, filepath.Join(folder, indexName))
}

// verifyFolder opens a ledger, verifies it and closes it.
func verifyFolder(ctx context.Context, dir string, c VerifyConfig) (found Verified, err error) {
	l, err := Open(ctx, Config{Dir: dir})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.VerifyBy(ctx, c)
}

// copyFile copies a file into a new one that only its owner can read, and makes it durable.
func copyFile(ctx context.Context, from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch _, err := io.CopyN(target, source, 16<<20); {
		case errors.Is(err, io.EOF):
			if err := target.Sync(); err != nil {
				return fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
			return nil
		case err != nil:
			return fmt.Errorf("%w: copy %s: %w", ErrUnavailable, filepath.Base(from), err)
		}
	}
}
