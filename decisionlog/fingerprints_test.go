package decisionlog_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"earshot/decisionlog"
)

func TestFingerprintsOfItems(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	recordKinds(t, l)
	text := words(400, 1)
	prints := l.Fingerprints(text)
	keep := func(tenant, item string) error { return l.KeepFingerprints(t.Context(), tenant, item, prints) }
	if err := keep("acme", "item-0"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(keep("acme", "item-1"), keep("", "m1"), keep("acme", "item-0")); err != nil {
		t.Fatal(err)
	}
	for _, unknown := range [][2]string{{"acme", "never heard of"}, {"another", "m1"}} {
		if err := keep(unknown[0], unknown[1]); !errors.Is(err, decisionlog.ErrNotFound) {
			t.Errorf("%v: %v", unknown, err)
		}
	}
	check := func(tenant, text string, want map[string]int) {
		t.Helper()
		got, err := l.Overlaps(t.Context(), tenant, l.Fingerprints(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tenant, diff)
		}
	}
	check("acme", text, map[string]int{"item-0": len(prints), "item-1": len(prints)})
	check("", text, map[string]int{"m1": len(prints)})
	check("another", text, nil)
	check("acme", words(400, 2), nil)

	erase(t, l, erasureOf("item-0", 1))
	check("acme", text, map[string]int{"item-1": len(prints)})
	exec(t, alongside(t, dir), `DELETE FROM name WHERE text = ?`, []byte("item-1"))
	check("acme", text, nil)
}

// words returns a text of n words of chance, the same one for the same seed.
func words(n int, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	var text strings.Builder
	for range n {
		for range 2 + random.IntN(7) {
			text.WriteByte(byte('a' + random.IntN(26)))
		}
		text.WriteByte(' ')
	}
	return text.String()
}
