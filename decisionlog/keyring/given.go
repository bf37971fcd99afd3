package keyring

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
)

// Given are files with private keys, PKCS#8 in PEM, in place of those that are made here. An empty name
// stands for the one that is made. A name may be that of a link.
type Given struct {
	ReceiptKey, LogKey string
}

func (g Given) file(p Purpose) string {
	if p == PurposeReceipt {
		return g.ReceiptKey
	}
	return g.LogKey
}

// read reads the files that are given.
func (g Given) read() (map[Purpose]ed25519.PrivateKey, error) {
	privates := map[Purpose]ed25519.PrivateKey{}
	for _, p := range Purposes() {
		if g.file(p) == "" {
			continue
		}
		private, err := readPrivate(g.file(p), 0)
		if err != nil {
			return nil, err
		}
		for other, taken := range privates {
			if taken.Equal(private) {
				return nil, fmt.Errorf("%w: %s and %s are the same key; give the %s key and the %s key each its own",
					ErrPrivateKey, g.file(other), g.file(p), other, p)
			}
		}
		privates[p] = private
	}
	return privates, nil
}

// apartFrom returns an error if a given file lies in the folder, where files come and go with their keys.
func (f folder) apartFrom(given Given) error {
	own, err := os.Stat(f.path)
	if err != nil {
		return f.unavailable("look at it", err)
	}
	for _, p := range Purposes() {
		if given.file(p) == "" {
			continue
		}
		dir, err := os.Stat(filepath.Dir(given.file(p)))
		if err == nil && os.SameFile(own, dir) {
			return fmt.Errorf("%w: %s lies among the keys that are made here, which need not be given; keep a key of your own elsewhere",
				ErrPrivateKey, given.file(p))
		}
	}
	return nil
}
