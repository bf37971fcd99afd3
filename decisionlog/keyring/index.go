package keyring

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"
)

// index is every public key, newest first: by the order in which they came into force, since a clock
// may be set back.
type index []Key

// readIndex returns the index, or an error that matches fs.ErrNotExist where there is none.
//
// Errors: ErrIndex with the file and the remedy.
func (f folder) readIndex() (index, error) {
	text, _, err := readFile(f.index(), syscall.O_NOFOLLOW)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w; make it a readable file", ErrIndex, f.index(), err)
	}
	keys, err := ParseJWKS(text)
	if err == nil {
		err = index(keys).check(text)
	}
	if err != nil {
		return nil, f.damaged(err)
	}
	return keys, nil
}

func (f folder) damaged(err error) error {
	return fmt.Errorf("%w: %s: %w; restore the folder from a backup", ErrIndex, f.index(), err)
}

// check returns an error unless this is an index that was written here: the bytes are what would be
// written again, and each purpose that has keys has one in force, the newest.
func (x index) check(text []byte) error {
	again, err := x.text()
	switch {
	case err != nil:
		return err
	case !bytes.Equal(again, text):
		return errors.New("it was changed by another program")
	}
	seen := map[Purpose]bool{}
	for _, k := range x {
		if !k.Purpose.known() || k.NotBefore.IsZero() {
			return fmt.Errorf("the key %s has no purpose or no beginning", k.ID)
		}
		if k.InForce() == seen[k.Purpose] {
			return fmt.Errorf("the newest %s key must be in force, and no other", k.Purpose)
		}
		seen[k.Purpose] = true
	}
	return nil
}

func (x index) text() ([]byte, error) {
	text, err := MarshalJWKS(x)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

func (f folder) writeIndex(x index) error {
	text, err := x.text()
	if err == nil {
		var again index
		if again, err = ParseJWKS(text); err == nil {
			err = again.check(text)
		}
	}
	if err != nil { // What could not be read again is not written.
		return fmt.Errorf("%w: %s: %w; is the clock of the machine right?", ErrIndex, f.index(), err)
	}
	return f.write(indexName, text)
}

// inForce returns the key of a purpose that signs.
func (x index) inForce(p Purpose) (Key, bool) {
	i := slices.IndexFunc(x, func(k Key) bool { return k.Purpose == p && k.InForce() })
	if i < 0 {
		return Key{}, false
	}
	return x[i], true
}

// replace returns the index with a new key in force for a purpose, and the former one closed.
//
// A clock that was set back must not close a key before it began: then the times of the two overlap,
// and both are as the clock had them. The new key never begins later than it first signs.
func (x index) replace(p Purpose, public ed25519.PublicKey, now time.Time) (index, error) {
	id, err := KeyID(public)
	if err != nil {
		return nil, err
	}
	now = now.UTC().Truncate(time.Second)
	if i := slices.IndexFunc(x, func(k Key) bool { return k.ID == id }); i >= 0 {
		known := x[i]
		if known.InForce() {
			return nil, fmt.Errorf("%w: the key %s is the %s key; use another one as the %s key", ErrPrivateKey, id, known.Purpose, p)
		}
		return nil, fmt.Errorf("%w: the key %s is closed since %s, and a closed key is not taken up again; give a new one",
			ErrPrivateKey, id, known.NotAfter.Format(time.RFC3339))
	}
	replaced := slices.Concat(index{{ID: id, Purpose: p, Public: public, NotBefore: now}}, x)
	for i := range replaced[1:] {
		if k := &replaced[i+1]; k.Purpose == p && k.InForce() {
			k.NotAfter = now
			if now.Before(k.NotBefore) {
				k.NotAfter = k.NotBefore
			}
		}
	}
	return replaced, nil
}

// began moves the beginning of the keys in force to now where it is later: the clock was set back, and
// they sign from now on. It reports whether one was.
func (x index) began(now time.Time) (moved bool) {
	now = now.UTC().Truncate(time.Second)
	for i := range x {
		if x[i].InForce() && now.Before(x[i].NotBefore) {
			x[i].NotBefore, moved = now, true
		}
	}
	return moved
}

// files returns the names of the private keys in force.
func (x index) files() map[string]bool {
	files := map[string]bool{}
	for _, k := range x {
		if k.InForce() {
			files[privateName(k.Purpose, k.ID)] = true
		}
	}
	return files
}
