package keyring_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
)

// changes are what may be done to a folder of keys, each from a folder of its own.
func changes(t *testing.T) map[string]struct {
	dir   string
	given keyring.Given
	do    func(dir string, after func(string) error) error
} {
	made := t.TempDir()
	openRing(t, made, keyring.Given{}, began)
	given := keyring.Given{ReceiptKey: givenKey(t)}
	at := began.Add(time.Hour)
	open := func(given keyring.Given) func(string, func(string) error) error {
		return func(dir string, after func(string) error) error {
			ring, err := keyring.OpenWith(dir, given, at, after)
			if (ring == nil) == (err == nil) {
				return errors.New("a ring with an error, or none of both")
			}
			return err
		}
	}
	return map[string]struct {
		dir   string
		given keyring.Given
		do    func(dir string, after func(string) error) error
	}{
		"first start":                  {t.TempDir(), keyring.Given{}, open(keyring.Given{})},
		"first start with a given key": {t.TempDir(), given, open(given)},
		"another key given":            {made, given, open(given)},
		"rotation": {made, keyring.Given{}, func(dir string, after func(string) error) error {
			_, err := keyring.RotateWith(dir, receipt, at, after)
			return err
		}},
	}
}

// What a crash leaves after any change is a folder that the next start uses, and no key that may have
// signed has lost its public half.
func TestInterrupted(t *testing.T) {
	for name, change := range changes(t) {
		t.Run(name, func(t *testing.T) {
			dir := copyKeys(t, change.dir)
			before, _ := keyring.List(dir) // There are none before the first start.
			var steps, left []string
			err := change.do(dir, func(step string) error {
				steps, left = append(steps, step), append(left, copyKeys(t, dir))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(steps) < 5 {
				t.Fatalf("the steps are %q, and there must be more", steps)
			}
			for i, step := range steps {
				t.Run(step, func(t *testing.T) { usable(t, left[i], change.given, before) })
			}
		})
	}
}

// A disk that fails at any change stops with the folder named, and the next start is a good one.
func TestDiskFails(t *testing.T) {
	failed := errors.New("the disk fails")
	for name, change := range changes(t) {
		for n := 1; ; n++ {
			dir := copyKeys(t, change.dir)
			before, _ := keyring.List(dir)
			step, count := "", 0
			err := change.do(dir, func(s string) error {
				if count++; count == n {
					step = s
					return failed
				}
				return nil
			})
			if step == "" {
				if n < 6 || err != nil {
					t.Fatalf("%s: after %d steps: %v", name, n-1, err)
				}
				break
			}
			t.Run(name+" "+step, func(t *testing.T) {
				if !errors.Is(err, keyring.ErrUnavailable) || !errors.Is(err, failed) || !strings.Contains(err.Error(), filepath.Join(dir, "keys")) {
					t.Errorf("got %v", err)
				}
				usable(t, dir, change.given, before)
			})
		}
	}
}

// usable fails the test unless a start takes the folder, keeps the public keys that were there, and
// leaves no private key beside those in force.
func usable(t *testing.T, dir string, given keyring.Given, before []keyring.Key) {
	t.Helper()
	ring := openRing(t, dir, given, began.Add(2*time.Hour))
	files := map[string]bool{"index.jwks": true}
	for _, p := range keyring.Purposes() {
		current := signs(t, ring, p)
		files[filepath.Base(privateFile(dir, current))] = true
	}
	for _, k := range before {
		if _, ok := ring.Find(k.Purpose, k.ID); !ok {
			t.Errorf("the public key %v is gone", k)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !files[entry.Name()] {
			t.Errorf("%s was left", entry.Name())
		}
	}
	openRing(t, dir, given, began.Add(3*time.Hour))
}

// A backup from before a rotation has an index that is older than the private keys.
func TestOlderIndex(t *testing.T) {
	dir := t.TempDir()
	former := signs(t, openRing(t, dir, keyring.Given{}, began), receipt)
	path := filepath.Join(dir, "keys", "index.jwks")
	older := read(t, path)
	current, err := keyring.Rotate(dir, receipt, began)
	if err != nil {
		t.Fatal(err)
	}
	newer := read(t, path)
	write(t, path, older, 0o600)
	ring, err := keyring.Open(dir, keyring.Given{}, began)
	refused(t, ring, err, keyring.ErrPrivateKey, privateFile(dir, former), "restore the folder from a backup")
	write(t, path, newer, 0o600)
	if got := signs(t, openRing(t, dir, keyring.Given{}, began), receipt); got.ID != current.ID {
		t.Error("the newer key is lost")
	}
}
