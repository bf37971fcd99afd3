package keyring_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
)

// began is when the tests begin; the fraction of a second must not be kept.
var began = time.Date(2026, 11, 30, 20, 0, 1, 987654321, time.UTC)

const (
	receipt = keyring.PurposeReceipt
	log     = keyring.PurposeLog
)

func openRing(t *testing.T, dir string, given keyring.Given, now time.Time) *keyring.Ring {
	t.Helper()
	ring, err := keyring.Open(dir, given, now)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func list(t *testing.T, dir string) []keyring.Key {
	t.Helper()
	keys, err := keyring.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// signs fails the test unless the signer of a purpose signs with the newest key of that purpose, which
// must be in force.
func signs(t *testing.T, ring *keyring.Ring, p keyring.Purpose) keyring.Key {
	t.Helper()
	keys := ring.Keys(p)
	if len(keys) == 0 || !keys[0].InForce() {
		t.Fatalf("no %s key is in force: %v", p, keys)
	}
	message := []byte("message")
	signature, err := ring.Signer(p).Sign(message)
	if err != nil {
		t.Fatal(err)
	}
	if ring.Signer(p).KeyID() != keys[0].ID || !ed25519.Verify(keys[0].Public, message, signature) {
		t.Fatalf("the %s key in force is not the one that signs", p)
	}
	return keys[0]
}

// privateFile is the file of a key that was made.
func privateFile(dir string, k keyring.Key) string {
	return filepath.Join(dir, "keys", string(k.Purpose)+"-"+k.ID[:16]+".pem")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func write(t *testing.T, path string, content []byte, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, content, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// pkcs8 returns a private key in PEM.
func pkcs8(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func newPrivate(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// givenKey writes a new private key and returns the file.
func givenKey(t *testing.T) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "given.pem"), pkcs8(t, newPrivate(t)), 0o600)
}

func newP256(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// copyKeys copies the folder of the keys into a new data folder.
func copyKeys(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if !exists(filepath.Join(dir, "keys")) {
		return to
	}
	if err := os.CopyFS(filepath.Join(to, "keys"), os.DirFS(filepath.Join(dir, "keys"))); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"keys": 0o700} {
		if err := os.Chmod(filepath.Join(to, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(to, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Chmod(filepath.Join(to, "keys", entry.Name()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
