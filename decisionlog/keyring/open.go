package keyring

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// Open reads the keys in the data folder dir, which must be there, and makes what is missing. A given key
// that is new to the folder is in force from now on, and the one before it is closed. The caller holds
// the lock of the data folder.
//
// Errors: ErrPrivateKey, ErrIndex or ErrUnavailable, with the file and the remedy.
func Open(dir string, given Given, now time.Time) (*Ring, error) {
	return open(folder{path: filepath.Join(dir, folderName)}, given, now)
}

func open(f folder, given Given, now time.Time) (*Ring, error) {
	// Before anything is made: a wrong name must leave no trace.
	privates, err := given.read()
	if err != nil {
		return nil, err
	}
	if err := f.make(); err != nil {
		return nil, err
	}
	if err := f.apartFrom(given); err != nil {
		return nil, err
	}
	release, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer release()
	keys, err := f.openIndex()
	if err != nil {
		return nil, err
	}
	ring := &Ring{keys: keys, signers: map[Purpose]*Signer{}}
	// First what is there, so that a key that cannot be read stops the start before another is closed.
	for _, p := range Purposes() {
		current, exists := keys.inForce(p)
		if privates[p] == nil && exists {
			if privates[p], err = f.readCurrent(current); err != nil {
				return nil, err
			}
		}
	}
	changed := ring.keys.began(now)
	for _, p := range Purposes() {
		added, err := ring.take(f, p, privates[p], now)
		if err != nil && given.file(p) != "" {
			err = fmt.Errorf("%s: %w", given.file(p), err)
		}
		if err != nil {
			return nil, err
		}
		changed = changed || added
	}
	if changed {
		if err := f.writeIndex(ring.keys); err != nil {
			return nil, err
		}
	}
	if err := f.tidy(ring.keys.files()); err != nil {
		return nil, err
	}
	return ring, nil
}

// openIndex returns the index, and makes an empty one in a folder without keys. It is there before the
// first private key, so that a private key without an index is known for damage.
func (f folder) openIndex() (index, error) {
	keys, err := f.readIndex()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	names, err := f.privates()
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		return nil, f.damaged(fmt.Errorf("it is missing, and %s is there", names[0]))
	}
	return nil, f.writeIndex(nil)
}

// readCurrent reads the private half of a key in force that was made here.
func (f folder) readCurrent(k Key) (ed25519.PrivateKey, error) {
	path := f.file(privateName(k.Purpose, k.ID))
	private, err := readPrivate(path, syscall.O_NOFOLLOW)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s, the %s key in force, is missing; if it was given in a file, give that again, "+
			"else restore the folder from a backup or make a new key: pdp keys rotate %s", ErrPrivateKey, path, k.Purpose, k.Purpose)
	}
	if err != nil {
		return nil, err
	}
	id, err := idOf(private)
	if err != nil {
		return nil, err
	}
	if id != k.ID {
		return nil, fmt.Errorf("%w: %s is another key than the one in %s; restore the folder from a backup, or make a new key: pdp keys rotate %s",
			ErrPrivateKey, path, indexName, k.Purpose)
	}
	return private, nil
}

// take has a key sign for a purpose, made here where private is nil. It reports whether the key is new
// to the index.
func (r *Ring) take(f folder, p Purpose, private ed25519.PrivateKey, now time.Time) (added bool, err error) {
	if private == nil {
		if private, err = f.generate(p); err != nil {
			return false, err
		}
	}
	id, err := idOf(private)
	if err != nil {
		return false, err
	}
	r.signers[p] = newSigner(id, private)
	if current, exists := r.keys.inForce(p); exists && current.ID == id {
		return false, nil
	}
	r.keys, err = r.keys.replace(p, publicOf(private), now)
	return err == nil, err
}

// generate makes a private key and writes it to its file.
func (f folder) generate(p Purpose) (ed25519.PrivateKey, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	id, err := idOf(private)
	if err != nil {
		return nil, err
	}
	text, err := marshalPrivate(private)
	if err != nil {
		return nil, err
	}
	return private, f.write(privateName(p, id), text)
}
