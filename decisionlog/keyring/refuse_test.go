package keyring_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
)

// badPrivates writes private keys that cannot be used, each with a part of the remedy.
func badPrivates(t *testing.T) map[string]struct{ path, remedy string } {
	dir := t.TempDir()
	good := pkcs8(t, newPrivate(t))
	file := func(name string, content []byte, mode os.FileMode) string {
		return write(t, filepath.Join(dir, name), content, mode)
	}
	block := func(label string, headers map[string]string, content []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: label, Headers: headers, Bytes: content})
	}
	public, err := x509.MarshalPKIXPublicKey(newPrivate(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return map[string]struct{ path, remedy string }{
		"missing":       {filepath.Join(dir, "missing"), "name a file that the service may read"},
		"a folder":      {folder, "not a regular file"},
		"a pipe":        {pipe, "not a regular file"},
		"no end":        {"/dev/zero", "not a regular file"},
		"empty":         {file("empty", nil, 0o600), "openssl genpkey"},
		"large":         {file("large", bytes.Repeat(good, 1<<16), 0o600), "too large"},
		"text":          {file("text", []byte("open sesame"), 0o600), "openssl genpkey"},
		"cut":           {file("cut", good[:len(good)-30], 0o600), "openssl genpkey"},
		"public":        {file("public", block("PUBLIC KEY", nil, public), 0o600), "name the file of the private one"},
		"another label": {file("label", block("OPENSSH PRIVATE KEY", nil, []byte("x")), 0o600), "openssl genpkey"},
		"not PKCS#8":    {file("damaged", block("PRIVATE KEY", nil, []byte("open sesame")), 0o600), "openssl genpkey"},
		"another type":  {file("p256", pkcs8(t, newP256(t)), 0o600), "another type"},
		"encrypted":     {file("encrypted", block("ENCRYPTED PRIVATE KEY", nil, []byte("x")), 0o600), "openssl pkey -in FILE"},
		"old encrypted": {file("dek", block("PRIVATE KEY", map[string]string{"Proc-Type": "4,ENCRYPTED"}, []byte("x")), 0o600), "openssl pkey -in FILE"},
		"two keys":      {file("two", append(bytes.Clone(good), good...), 0o600), "keep one key in the file"},
		"for the group": {file("group", good, 0o640), "chmod 600"},
		"for all":       {file("all", good, 0o604), "chmod 600"},
	}
}

func TestPrivateKeysThatCannotBeUsed(t *testing.T) {
	for name, bad := range badPrivates(t) {
		t.Run("given "+name, func(t *testing.T) {
			dir := t.TempDir()
			ring, err := keyring.Open(dir, keyring.Given{LogKey: bad.path}, began)
			refused(t, ring, err, keyring.ErrPrivateKey, bad.path, bad.remedy)
			if exists(filepath.Join(dir, "keys")) {
				t.Error("a start that was refused left keys")
			}
		})
		if bad.path == "/dev/zero" {
			continue // It cannot be put into the folder.
		}
		t.Run("made "+name, func(t *testing.T) {
			dir := t.TempDir()
			path := privateFile(dir, signs(t, openRing(t, dir, keyring.Given{}, began), log))
			before := list(t, dir)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(bad.path, path); err != nil && name != "missing" {
				t.Fatal(err)
			}
			remedy := bad.remedy
			if name == "missing" {
				remedy = "pdp keys rotate log"
			}
			ring, err := keyring.Open(dir, keyring.Given{}, began)
			refused(t, ring, err, keyring.ErrPrivateKey, path, remedy)
			if len(list(t, dir)) != len(before) {
				t.Error("a start that was refused changed the index")
			}
		})
	}
}

// refused fails the test unless there is no ring and an error with file and remedy.
func refused(t *testing.T, ring *keyring.Ring, err, want error, path, remedy string) {
	t.Helper()
	if ring != nil || !errors.Is(err, want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), remedy) {
		t.Errorf("got %v, want %v with %s and %q", err, want, path, remedy)
	}
	for _, secret := range []string{"open sesame", "MC4CAQAwBQYDK2VwBCIEI"} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error quotes what the file holds: %v", err)
		}
	}
}

func TestMadeKeyThatIsAnotherOrALink(t *testing.T) {
	dir := t.TempDir()
	path := privateFile(dir, signs(t, openRing(t, dir, keyring.Given{}, began), receipt))
	good := read(t, path)
	write(t, path, pkcs8(t, newPrivate(t)), 0o600)
	ring, err := keyring.Open(dir, keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrPrivateKey, path, "pdp keys rotate receipt")

	away := write(t, filepath.Join(t.TempDir(), "away.pem"), good, 0o600)
	if err := errors.Join(os.Remove(path), os.Symlink(away, path)); err != nil {
		t.Fatal(err)
	}
	ring, err = keyring.Open(dir, keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrPrivateKey, path, "symbolic link")

	if err := errors.Join(os.Remove(path), os.Rename(away, path)); err != nil {
		t.Fatal(err)
	}
	signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
}

func TestFolderThatOthersMayUse(t *testing.T) {
	dir := t.TempDir()
	openRing(t, dir, keyring.Given{}, began)
	keys := filepath.Join(dir, "keys")
	if err := os.Chmod(keys, 0o770); err != nil {
		t.Fatal(err)
	}
	ring, err := keyring.Open(dir, keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrPrivateKey, keys, "chmod 700")
	if _, err := keyring.Rotate(dir, receipt, began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("rotate: %v", err)
	}

	dir = t.TempDir()
	keys = write(t, filepath.Join(dir, "keys"), nil, 0o600)
	ring, err = keyring.Open(dir, keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrUnavailable, keys, "move it away")

	ring, err = keyring.Open(filepath.Join(dir, "nowhere"), keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrUnavailable, "nowhere", "writable")
}

func TestIndexThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	openRing(t, dir, keyring.Given{}, began)
	if _, err := keyring.Rotate(dir, receipt, began); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(dir, "keys", "index.jwks"))
	keys := list(t, dir)
	edit := func(change func(keys []keyring.Key) []keyring.Key) []byte {
		changed, err := keyring.MarshalJWKS(change(append([]keyring.Key(nil), keys...)))
		if err != nil {
			t.Fatal(err)
		}
		return append(changed, '\n')
	}
	for name, bad := range map[string][]byte{
		"missing":           nil,
		"empty":             {},
		"cut":               text[:len(text)/2],
		"zeroed":            make([]byte, len(text)),
		"laid out anew":     append([]byte(" "), text...),
		"no line end":       bytes.TrimSpace(text),
		"another set":       []byte(`{"keys":[{"kty":"RSA"}]}`),
		"none in force":     edit(func(k []keyring.Key) []keyring.Key { k[0].NotAfter = k[0].NotBefore; return k }),
		"two in force":      edit(func(k []keyring.Key) []keyring.Key { k[2].NotAfter = time.Time{}; return k }),
		"no purpose":        edit(func(k []keyring.Key) []keyring.Key { k[1].Purpose = ""; return k }),
		"out of order":      edit(func(k []keyring.Key) []keyring.Key { return []keyring.Key{k[2], k[1], k[0]} }),
		"the newest gone":   edit(func(k []keyring.Key) []keyring.Key { return k[1:] }),
		"no beginning":      edit(func(k []keyring.Key) []keyring.Key { k[0].NotBefore = time.Time{}; return k }),
		"a purpose no more": edit(func(k []keyring.Key) []keyring.Key { k[1].Purpose = receipt; return k }),
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyKeys(t, dir)
			path := filepath.Join(dir, "keys", "index.jwks")
			if bad == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, path, bad, 0o600)
			}
			ring, err := keyring.Open(dir, keyring.Given{}, began)
			refused(t, ring, err, keyring.ErrIndex, path, "restore the folder from a backup")
			if _, err := keyring.Rotate(dir, receipt, began); err == nil {
				t.Error("rotated with a damaged index")
			}
			for _, k := range keys {
				if k.InForce() && !exists(privateFile(dir, k)) {
					t.Error("a private key was deleted for want of an index")
				}
			}
		})
	}
}
