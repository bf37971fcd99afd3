package keyring_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/keyring"
)

func TestRotate(t *testing.T) {
	for _, p := range keyring.Purposes() {
		t.Run(string(p), func(t *testing.T) {
			dir := t.TempDir()
			former := signs(t, openRing(t, dir, keyring.Given{}, began), p)
			at := began.Add(time.Hour)
			current, err := keyring.Rotate(dir, p, at)
			if err != nil {
				t.Fatal(err)
			}
			second := at.Truncate(time.Second)
			if current.ID == former.ID || current.Purpose != p || !current.NotBefore.Equal(second) || !current.InForce() {
				t.Errorf("the new key is %v", current)
			}
			if exists(privateFile(dir, former)) || !exists(privateFile(dir, current)) {
				t.Error("the folder does not have the private half of the key in force alone")
			}
			ring := openRing(t, dir, keyring.Given{}, at.Add(time.Hour))
			signs(t, ring, p)
			former.NotAfter = second
			if diff := cmp.Diff([]keyring.Key{current, former}, ring.Keys(p)); diff != "" {
				t.Errorf("keys, newest first (-want +got):\n%s", diff)
			}
			if got := len(list(t, dir)); got != 3 {
				t.Errorf("%d keys, want 3", got)
			}
		})
	}
}

func TestRotateWithoutThePrivateHalf(t *testing.T) {
	dir, path := t.TempDir(), givenKey(t)
	openRing(t, dir, keyring.Given{LogKey: path}, began)
	if _, err := keyring.Rotate(dir, log, began); err != nil {
		t.Fatal(err)
	}
	signs(t, openRing(t, dir, keyring.Given{}, began), log)
}

func TestRotateWithoutKeys(t *testing.T) {
	dir := t.TempDir()
	if _, err := keyring.Rotate(dir, receipt, began); !errors.Is(err, keyring.ErrNoKeys) {
		t.Errorf("rotate: %v", err)
	}
	if exists(filepath.Join(dir, "keys")) {
		t.Error("rotate made a folder")
	}
	if _, err := keyring.List(dir); !errors.Is(err, keyring.ErrNoKeys) {
		t.Errorf("list: %v", err)
	}
	openRing(t, dir, keyring.Given{}, began)
	if _, err := keyring.Rotate(dir, "x", began); !errors.Is(err, keyring.ErrPrivateKey) {
		t.Errorf("another purpose: %v", err)
	}
}

// A clock that goes back must leave no key with an end before its beginning, and none that signs before
// it begins.
func TestClockSetBack(t *testing.T) {
	dir := t.TempDir()
	first := signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
	earlier := began.Add(-time.Hour)

	second, err := keyring.Rotate(dir, receipt, earlier)
	if err != nil {
		t.Fatal(err)
	}
	ring := openRing(t, dir, keyring.Given{}, earlier)
	if got := signs(t, ring, receipt); !cmp.Equal(got, second) || !got.SignedAt(earlier) {
		t.Errorf("the key in force is %v, want %v", got, second)
	}
	closed, _ := ring.Find(receipt, first.ID)
	if !closed.SignedAt(began) || closed.SignedAt(began.Add(time.Second)) {
		t.Errorf("the closed key is %v", closed)
	}

	// The log key began when the clock was ahead.
	if got := signs(t, ring, log); !got.SignedAt(earlier) {
		t.Errorf("the key in force, %v, signs before it begins", got)
	}
	if got := list(t, dir); !cmp.Equal(got[0], second) {
		t.Errorf("the newest key is %v", got[0])
	}
	again := openRing(t, dir, keyring.Given{}, began)
	if got := signs(t, again, log); !got.SignedAt(earlier) {
		t.Errorf("the beginning was not kept: %v", got)
	}
}

// A key that nobody could ever have is not written, so that the next start can read the index.
func TestClockWithoutSense(t *testing.T) {
	for name, now := range map[string]time.Time{"1970": time.Unix(0, 0), "zero": {}, "far": time.Unix(1<<40, 0)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ring, err := keyring.Open(dir, keyring.Given{}, now)
			refused(t, ring, err, keyring.ErrIndex, "index.jwks", "clock")
			signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
			if _, err := keyring.Rotate(dir, receipt, now); !errors.Is(err, keyring.ErrIndex) && name != "zero" {
				t.Errorf("rotate: %v", err)
			}
			signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
		})
	}
}

func TestSignedAt(t *testing.T) {
	k := keyring.Key{NotBefore: began.Truncate(time.Second), NotAfter: began.Truncate(time.Second).Add(time.Minute)}
	for after, want := range map[time.Duration]bool{
		-time.Second: false, 0: true, time.Minute: true, time.Minute - time.Second: true, time.Minute + time.Second: false,
	} {
		if got := k.SignedAt(began.Add(after)); got != want {
			t.Errorf("%v after the beginning: %t", after, got)
		}
	}
	k.NotAfter = time.Time{}
	if !k.SignedAt(began.AddDate(100, 0, 0)) {
		t.Error("a key in force ends")
	}
}
