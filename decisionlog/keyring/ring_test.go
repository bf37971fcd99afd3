package keyring_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/keyring"
)

func TestOpenMakesKeysOnce(t *testing.T) {
	dir := t.TempDir()
	first := openRing(t, dir, keyring.Given{}, began)
	r, l := signs(t, first, receipt), signs(t, first, log)
	if r.ID == l.ID {
		t.Error("one key has both purposes")
	}
	if want := began.Truncate(time.Second); !r.NotBefore.Equal(want) || r.NotBefore.Location() != time.UTC {
		t.Errorf("the key begins at %v, want %v", r.NotBefore, want)
	}
	modes := map[string]os.FileMode{}
	for _, path := range []string{filepath.Join(dir, "keys"), filepath.Join(dir, "keys", "index.jwks"), privateFile(dir, r), privateFile(dir, l)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		modes[filepath.Base(path)] = info.Mode().Perm()
	}
	want := map[string]os.FileMode{"keys": 0o700, "index.jwks": 0o600, filepath.Base(privateFile(dir, r)): 0o600, filepath.Base(privateFile(dir, l)): 0o600}
	if diff := cmp.Diff(want, modes); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}

	again := openRing(t, dir, keyring.Given{}, began.Add(time.Hour))
	if diff := cmp.Diff([]keyring.Key{r, l}, []keyring.Key{signs(t, again, receipt), signs(t, again, log)}); diff != "" {
		t.Errorf("keys of the second start (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(again.Keys(receipt), []keyring.Key{r}); diff != "" {
		t.Errorf("receipt keys:\n%s", diff)
	}
}

func TestFindKeepsPurposesApart(t *testing.T) {
	ring := openRing(t, t.TempDir(), keyring.Given{}, began)
	k := signs(t, ring, receipt)
	if got, ok := ring.Find(receipt, k.ID); !ok || !cmp.Equal(got, k) {
		t.Errorf("found %v, %t", got, ok)
	}
	if _, ok := ring.Find(log, k.ID); ok {
		t.Error("a receipt key was found as a log key")
	}
	if _, ok := ring.Find(receipt, "x"); ok {
		t.Error("found a key that is not there")
	}
	if s := ring.Signer("x"); s != nil {
		t.Error("there is a signer without a purpose")
	}
	for _, s := range []*keyring.Signer{nil, new(keyring.Signer)} {
		if signature, err := s.Sign(nil); err == nil || signature != nil {
			t.Error("signed without a key")
		}
	}
}

// Opens at the same time are no case of use, and must not tear the folder apart either.
func TestOpenAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	ids := make([]string, 8)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			ring, err := keyring.Open(dir, keyring.Given{}, began)
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = ring.Signer(receipt).KeyID() + ring.Signer(log).KeyID()
		})
	}
	group.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatal("two starts made keys of their own")
		}
	}
	if got := len(list(t, dir)); got != 2 {
		t.Errorf("%d keys, want 2", got)
	}
}

func TestNothingPrintsAPrivateKey(t *testing.T) {
	dir := t.TempDir()
	path := givenKey(t)
	ring := openRing(t, dir, keyring.Given{ReceiptKey: path}, began)
	private := secretForms(t, read(t, path))
	values := map[string]any{"ring": ring, "*ring": *ring, "signer": ring.Signer(receipt), "*signer": *ring.Signer(receipt), "keys": list(t, dir)}
	for name, value := range values {
		printed := ""
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
			printed += fmt.Sprintf(verb+"\n", value)
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		printed += string(encoded)
		for form, secret := range private {
			if strings.Contains(printed, secret) {
				t.Errorf("%s shows the private key as %s", name, form)
			}
		}
	}
	// The check must be able to fail.
	bare := fmt.Sprintf("%v", struct{ key []byte }{seedOf(t, read(t, path))})
	if !strings.Contains(bare, private["numbers"]) {
		t.Errorf("%s does not show what the check looks for", bare)
	}
}
