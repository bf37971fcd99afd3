package decisionlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// folderLock keeps other processes from opening the same ledger. The system releases it when the
// process ends, however it ends.
type folderLock struct{ file *os.File }

func lockFolder(dir string) (*folderLock, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w: open the lock: %w; make the data folder writable", ErrUnavailable, err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = fmt.Errorf("%w; end the other process or choose another folder", ErrInUse)
	case err != nil:
		err = fmt.Errorf("%w: lock the folder: %w", ErrUnavailable, err)
	default:
		return &folderLock{file}, nil
	}
	return nil, errors.Join(err, file.Close())
}

func (l *folderLock) release() error { return l.file.Close() }

// makeFolder makes dir and what is missing above it. Each new folder is made durable in the one that
// holds it, by sync: otherwise a crash of the machine could forget it with all that is in it.
func makeFolder(dir string, sync func(dir string) error) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(filepath.Dir(dir), sync); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return sync(filepath.Dir(dir))
}

// createFile makes an empty database that only its owner can read, if there is none, and makes it
// durable in its folder. SQLite gives its other files the same mode.
func createFile(path string, sync func(dir string) error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
	case err != nil:
		return fmt.Errorf("%w: make the database: %w; make the data folder writable", ErrUnavailable, err)
	default:
		if err := file.Close(); err != nil {
			return fmt.Errorf("%w: make the database: %w", ErrUnavailable, err)
		}
	}
	// Each time, since an earlier start may have ended between the two.
	if err := sync(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%w: make the database: %w", ErrUnavailable, err)
	}
	return nil
}

func syncFolder(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// openFiles remembers which files the database was opened as. A commit to a file that was since
// removed or replaced succeeds, and is gone with the process.
type openFiles struct {
	paths []string
	infos []fs.FileInfo
}

func holdFiles(database string) (*openFiles, error) {
	f := &openFiles{paths: []string{database, database + "-wal"}}
	for _, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%w: look at the database: %w", ErrUnavailable, err)
		}
		f.infos = append(f.infos, info)
	}
	return f, nil
}

func (f *openFiles) check() error {
	for i, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil || !os.SameFile(info, f.infos[i]) {
			return fmt.Errorf("%w: %s was removed or replaced; restart the service on the right folder", ErrUnavailable, filepath.Base(path))
		}
	}
	return nil
}
