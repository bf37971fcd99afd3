package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Ring has the keys of one data folder as they were when it was opened. It is safe for concurrent use.
type Ring struct {
	keys    index
	signers map[Purpose]*Signer
}

// Signer returns what signs for a purpose; nil for one that is not known.
func (r *Ring) Signer(p Purpose) *Signer { return r.signers[p] }

// Keys returns the keys of a purpose, in force and closed, newest first.
func (r *Ring) Keys(p Purpose) []Key {
	return slices.DeleteFunc(slices.Clone(r.keys), func(k Key) bool { return k.Purpose != p })
}

// Find returns the key of a purpose with an ID, in force or closed.
func (r *Ring) Find(p Purpose, id string) (Key, bool) {
	for _, k := range r.keys {
		if k.Purpose == p && k.ID == id {
			return k, true
		}
	}
	return Key{}, false
}

// List returns every public key of the data folder dir, newest first. It needs no lock and reads no
// private key.
//
// Errors: ErrNoKeys where there are none, ErrIndex with the file and the remedy.
func List(dir string) ([]Key, error) {
	f := folder{path: filepath.Join(dir, folderName)}
	keys, err := f.readIndex()
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(keys) == 0 {
		return nil, fmt.Errorf("%w in %s; a server makes them when it first starts on the data folder", ErrNoKeys, f.path)
	}
	return keys, err
}
