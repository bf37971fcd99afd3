package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// Rotate makes a new key for a purpose in the data folder dir, closes the one in force and deletes its
// private half. The caller holds the lock of the data folder: a server that runs would go on signing
// with the closed key. A key that was given in a file is closed too, and its file stays.
//
// The new private key is on disk before the index has it in force, and the old one goes last, so the
// folder has the private half of the key in force after every step.
//
// Errors: ErrNoKeys where there are none, ErrPrivateKey, ErrIndex or ErrUnavailable, with the file and
// the remedy. A Key that is returned with an error is in force, and the private half of the closed one is
// still there; the next Open deletes it. After another error the one or the other is in force, as List
// tells.
func Rotate(dir string, p Purpose, now time.Time) (Key, error) {
	return rotate(folder{path: filepath.Join(dir, folderName)}, p, now)
}

func rotate(f folder, p Purpose, now time.Time) (Key, error) {
	if !p.known() {
		return Key{}, fmt.Errorf("%w: there is no purpose %q", ErrPrivateKey, p)
	}
	noKeys := fmt.Errorf("%w in %s", ErrNoKeys, f.path)
	err := f.private()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Key{}, noKeys
	case err != nil:
		return Key{}, err
	}
	release, err := f.lock()
	if err != nil {
		return Key{}, err
	}
	defer release()
	keys, err := f.readIndex()
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(keys) == 0 {
		return Key{}, noKeys
	}
	if err != nil {
		return Key{}, err
	}
	private, err := f.generate(p)
	if err != nil {
		return Key{}, err
	}
	if keys, err = keys.replace(p, publicOf(private), now); err != nil {
		return Key{}, err
	}
	if err := f.writeIndex(keys); err != nil {
		return Key{}, err
	}
	current, _ := keys.inForce(p)
	return current, f.tidy(keys.files())
}
