package keyring_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
)

func TestGivenKeyTakesThePlaceOfTheMadeOne(t *testing.T) {
	dir := t.TempDir()
	made := signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
	path := givenKey(t)
	at := began.Add(time.Hour)
	ring := openRing(t, dir, keyring.Given{ReceiptKey: path}, at)
	given := signs(t, ring, receipt)
	if given.ID == made.ID || !given.NotBefore.Equal(at.Truncate(time.Second)) {
		t.Errorf("the key in force is %v", given)
	}
	closed, ok := ring.Find(receipt, made.ID)
	if !ok || !closed.NotAfter.Equal(at.Truncate(time.Second)) {
		t.Errorf("the made key is %v, want it closed at %v", closed, at)
	}
	if exists(privateFile(dir, made)) {
		t.Error("the private half of the closed key is still there")
	}
	if exists(privateFile(dir, given)) {
		t.Error("the given key was copied")
	}
	if len(ring.Keys(log)) != 1 {
		t.Error("the log key was replaced too")
	}
	again := openRing(t, dir, keyring.Given{ReceiptKey: path}, at.Add(time.Hour))
	if k := signs(t, again, receipt); !k.NotBefore.Equal(given.NotBefore) {
		t.Errorf("a later start moves the beginning to %v", k.NotBefore)
	}

	// It is in force, so the start without it is refused until it is given again or rotated.
	if _, err := keyring.Open(dir, keyring.Given{}, at); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("without the given key: %v", err)
	}
	if _, err := keyring.Rotate(dir, receipt, at.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	signs(t, openRing(t, dir, keyring.Given{}, at), receipt)
	if !exists(path) {
		t.Error("the file that was given was deleted")
	}
	if _, err := keyring.Open(dir, keyring.Given{ReceiptKey: path}, at); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("the closed key again: %v", err)
	}
}

func TestBothKeysGiven(t *testing.T) {
	dir := t.TempDir()
	ring := openRing(t, dir, keyring.Given{ReceiptKey: givenKey(t), LogKey: givenKey(t)}, began)
	signs(t, ring, receipt)
	signs(t, ring, log)
	entries, err := os.ReadDir(filepath.Join(dir, "keys"))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v, want the index alone", entries, err)
	}
}

func TestGivenKeyMayBeALink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(givenKey(t), link); err != nil {
		t.Fatal(err)
	}
	signs(t, openRing(t, t.TempDir(), keyring.Given{ReceiptKey: link}, began), receipt)
}

func TestOneKeyForBothPurposesIsRefused(t *testing.T) {
	dir, path := t.TempDir(), givenKey(t)
	if _, err := keyring.Open(dir, keyring.Given{ReceiptKey: path, LogKey: path}, began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("one file: %v", err)
	}
	other := write(t, filepath.Join(t.TempDir(), "copy.pem"), read(t, path), 0o600)
	if _, err := keyring.Open(dir, keyring.Given{ReceiptKey: path, LogKey: other}, began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("a copy: %v", err)
	}
	if exists(filepath.Join(dir, "keys")) {
		t.Error("a start that was refused left keys")
	}
	openRing(t, dir, keyring.Given{ReceiptKey: path}, began)
	if _, err := keyring.Open(dir, keyring.Given{ReceiptKey: givenKey(t), LogKey: path}, began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("in the index for the other purpose: %v", err)
	}
	signs(t, openRing(t, dir, keyring.Given{ReceiptKey: path}, began), receipt)
}

func TestGivenKeyAmongTheMadeOnesIsRefused(t *testing.T) {
	dir := t.TempDir()
	made := signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
	if _, err := keyring.Open(dir, keyring.Given{ReceiptKey: privateFile(dir, made)}, began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Error(err)
	}
	signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
}
