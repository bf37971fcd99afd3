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

// openFiles remembers which files the database was opened as, and how this process last left them. A
// commit to a file that was since removed, replaced or written over succeeds, and is gone with the
// process.
type openFiles struct {
	paths []string
	infos []fs.FileInfo

	// left is the state after the last transaction. The writer alone has it.
	left []fs.FileInfo

	// access returns an error if a file cannot be written to, whatever is open on it.
	access func(path string) error
}

func holdFiles(database string) (*openFiles, error) {
	f := &openFiles{paths: []string{database, database + "-wal"}, access: writable}
	for _, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%w: look at the database: %w", ErrUnavailable, err)
		}
		f.infos = append(f.infos, info)
	}
	f.left = f.infos
	return f, nil
}

// writable asks by name and opens nothing: to close a file here would end SQLite's locks on it (fcntl).
func writable(path string) error {
	const writeOK = 2
	return syscall.Access(path, writeOK)
}

// writeProtected returns an error if a file was made read-only. SQLite maps its shared memory file, for
// readers too, and a write to that would then end the process instead of failing.
func (f *openFiles) writeProtected() error {
	for _, path := range append(f.paths[:len(f.paths):len(f.paths)], f.paths[0]+"-shm") {
		if err := f.access(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s: %w; make the data folder and its files writable", ErrUnavailable, filepath.Base(path), err)
		}
	}
	return nil
}

// replaced returns an error if another file stands in the place of one that was opened. A reader that
// connects anew would read it. Where no file stands, the connections that are open still serve.
func (f *openFiles) replaced() error {
	for i, path := range f.paths {
		if info, err := os.Stat(path); err == nil && !os.SameFile(info, f.infos[i]) {
			return fmt.Errorf("%w: %s was replaced; restart the service on the right folder", ErrUnavailable, filepath.Base(path))
		}
	}
	return nil
}

func (f *openFiles) look() ([]fs.FileInfo, error) {
	now := make([]fs.FileInfo, len(f.paths))
	for i, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil || !os.SameFile(info, f.infos[i]) {
			return nil, fmt.Errorf("%w: %s was removed or replaced; restart the service on the right folder", ErrUnavailable, filepath.Base(path))
		}
		now[i] = info
	}
	return now, nil
}

// untouched returns an error if a file was removed, replaced or, since leave, written to by somebody
// else. Nobody may: this process holds the folder.
func (f *openFiles) untouched() error {
	now, err := f.look()
	if err != nil {
		return err
	}
	if err := f.writeProtected(); err != nil {
		return err
	}
	for i, info := range now {
		if info.Size() != f.left[i].Size() || !info.ModTime().Equal(f.left[i].ModTime()) {
			return fmt.Errorf("%w: %s was written to by another program; stop the service, look into the folder and restore it from a backup if in doubt",
				ErrUnavailable, filepath.Base(f.paths[i]))
		}
	}
	return nil
}

// leave remembers how the files look after a transaction. Files that cannot be looked at keep their
// last state, so that untouched tells.
func (f *openFiles) leave() {
	if now, err := f.look(); err == nil {
		f.left = now
	}
}
