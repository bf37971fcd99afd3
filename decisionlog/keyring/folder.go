package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

const (
	folderName = "keys"
	indexName  = "index.jwks"

	// unfinished begins the names of files that are being written.
	unfinished = ".unfinished-"
)

// folder is the folder of the keys.
type folder struct {
	path string

	// after is called with the name of each change once it was made, and its error is that of the
	// change. A test looks at the folder there, or has the disk fail. It is nil otherwise.
	after func(change string) error
}

func (f folder) file(name string) string { return filepath.Join(f.path, name) }

func (f folder) index() string { return f.file(indexName) }

// privateName returns the file name of a private key.
func privateName(p Purpose, id string) string { return fmt.Sprintf("%s-%.16s.pem", p, id) }

func isPrivateName(name string) bool {
	return regexp.MustCompile(`^(receipt|log)-[0-9a-f]{16}\.pem$`).MatchString(name)
}

func (f folder) unavailable(doing string, err error) error {
	return fmt.Errorf("%w: %s: %s: %w; make the folder and its files readable and writable for the service", ErrUnavailable, f.path, doing, plain(err))
}

// done reports a change to after.
func (f folder) done(change string, err error) error {
	if err == nil && f.after != nil {
		err = f.after(change)
	}
	return err
}

// make makes the folder in the data folder, which must be there. A folder that is there must be private.
func (f folder) make() error {
	err := os.Mkdir(f.path, 0o700)
	switch {
	case errors.Is(err, fs.ErrExist):
		return f.private()
	case err != nil:
		return f.unavailable("make it", err)
	}
	if err := f.done("make the folder", syncFolder(filepath.Dir(f.path))); err != nil {
		return f.unavailable("make it", err)
	}
	return nil
}

// private returns an error if others could put a key of theirs into the folder.
func (f folder) private() error {
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return f.unavailable("look at it", err)
	case !info.IsDir():
		return fmt.Errorf("%w: %s is not a folder; move it away", ErrUnavailable, f.path)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: others than its owner may use %s (mode %04o): chmod 700 it, and rotate the keys if others may have read them",
			ErrPrivateKey, f.path, info.Mode().Perm())
	}
	return nil
}

// lock keeps others that work on the folder out until release is called. It waits for them: they are
// done in a moment.
func (f folder) lock() (release func(), err error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, f.unavailable("open it", err)
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(f.unavailable("lock it", err), file.Close())
	}
	return func() { _ = file.Close() }, nil
}

// write puts a file in its place whole or not at all, for its owner alone, and makes it durable.
func (f folder) write(name string, content []byte) error {
	temporary, err := f.writeUnfinished(name, content)
	if err == nil {
		err = f.done("rename "+name, os.Rename(temporary, f.file(name)))
	}
	if err == nil {
		err = f.done("sync "+name, syncFolder(f.path))
	}
	if err != nil {
		// What is left of the file goes with the next start, if it cannot go now.
		if temporary != "" {
			_ = os.Remove(temporary)
		}
		return f.unavailable("write "+name, err)
	}
	return nil
}

// writeUnfinished writes a file under a name of its own, with mode 0600.
func (f folder) writeUnfinished(name string, content []byte) (path string, err error) {
	file, err := os.CreateTemp(f.path, unfinished)
	if err != nil {
		return "", err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	return file.Name(), f.done("write "+name, errors.Join(err, file.Close()))
}

// privates returns the names of the private keys in the folder.
func (f folder) privates() ([]string, error) {
	return f.names(isPrivateName)
}

// tidy deletes private keys that are not in force, and what was left unfinished. To overwrite them first
// would be for show: neither a journaling file system nor a flash disk writes where it wrote before.
func (f folder) tidy(inForce map[string]bool) error {
	names, err := f.names(func(name string) bool {
		return strings.HasPrefix(name, unfinished) || isPrivateName(name) && !inForce[name]
	})
	if err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		if err := f.done("remove "+name, os.Remove(f.file(name))); err != nil {
			return f.unavailable("remove "+name+", which must not be kept", err)
		}
	}
	if err := f.done("sync the removals", syncFolder(f.path)); err != nil {
		return f.unavailable("remove keys that are closed", err)
	}
	return nil
}

func (f folder) names(wanted func(name string) bool) ([]string, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, f.unavailable("list it", err)
	}
	var names []string
	for _, entry := range entries {
		if wanted(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

func syncFolder(dir string) error {
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
