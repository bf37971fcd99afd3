package seal_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"earshot/policy"
)

// TestNoChangeOfASealIsAccepted changes, puts in and takes out single bytes.
func TestNoChangeOfASealIsAccepted(t *testing.T) {
	d := newDesk(t)
	good := d.issue(t, item("m1"))[0].Seal
	accepts := func() {
		t.Helper()
		if _, err := d.Verify(t.Context(), good); err != nil {
			t.Fatal(err)
		}
	}
	accepts()
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		at := random.IntN(len(good))
		d.refuses(t, good[:at]+string([]byte{good[at] ^ byte(1+random.IntN(255))})+good[at+1:])
		d.refuses(t, good[:at]+string([]byte{byte(random.IntN(256))})+good[at:])
		d.refuses(t, good[:at]+good[at+1:])
	}
	for at := range len(good) + 1 {
		for _, ignored := range []string{"\n", "\r", " ", "="} {
			d.refuses(t, good[:at]+ignored+good[at:])
		}
	}
	// The last digit of a segment may have bits that count for nothing.
	for at, digit := range []byte(good) {
		if at+1 < len(good) && good[at+1] != '.' {
			continue
		}
		for other := range 256 {
			if byte(other) != digit {
				d.refuses(t, good[:at]+string([]byte{byte(other)})+good[at+1:])
			}
		}
	}
	accepts()
	if _, err := d.Verify(t.Context(), ""); !errors.Is(err, policy.ErrSeal) {
		t.Errorf("got %v for no seal", err)
	}
}
