package fingerprint_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/decisionlog/fingerprint"
)

func maker(t testing.TB, key string) *fingerprint.Maker {
	t.Helper()
	m, err := fingerprint.New([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const testKey = "0123456789abcdef"

func shared(a, b []uint64) int {
	n := 0
	for _, p := range a {
		if _, ok := slices.BinarySearch(b, p); ok {
			n++
		}
	}
	return n
}

// letters returns n letters of chance.
func letters(random *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + random.IntN(26))
	}
	return string(b)
}

// TestEveryRunIsFound is the guarantee of the paper: a shared run of Run characters, wherever it stands.
func TestEveryRunIsFound(t *testing.T) {
	m := maker(t, testKey)
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		run := letters(random, fingerprint.Run)
		around := func(name string) string {
			before, after := rapid.IntRange(0, 300).Draw(t, name+" before"), rapid.IntRange(0, 300).Draw(t, name+" after")
			return letters(random, before) + run + letters(random, after)
		}
		a, b := m.Of(around("a")), m.Of(around("b"))
		if shared(a, b) == 0 {
			t.Fatal("the run was not found")
		}
	})
}

// A text of few different letters has the same hash many times over, and ties must not break the rule.
func TestRunsOfFewLettersAreFound(t *testing.T) {
	m := maker(t, testKey)
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string, least int) string {
			return rapid.StringOfN(rapid.SampledFrom([]rune("aab")), least, least+60, -1).Draw(t, name)
		}
		run := text("run", fingerprint.Run)
		a, b := m.Of(text("before", 0)+run+text("after", 0)), m.Of(text("in front", 0)+run+text("behind", 0))
		if shared(a, b) == 0 {
			t.Fatal("the run was not found")
		}
	})
}

func TestShorterRunsAreNot(t *testing.T) {
	m := maker(t, testKey)
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		run := letters(random, fingerprint.Gram-1)
		// Digits around it, so that the run cannot go on by chance.
		a, b := m.Of(strings.Repeat("1", 60)+run+strings.Repeat("2", 60)), m.Of(strings.Repeat("3", 60)+run+strings.Repeat("4", 60))
		if n := shared(a, b); n != 0 {
			t.Fatalf("%q gives %d shared fingerprints", run, n)
		}
	}
}

func TestFormMakesNoDifference(t *testing.T) {
	m := maker(t, testKey)
	plain := m.Of("The launch of the new office in Basel moves to the third of March, and nobody else knows.")
	if len(plain) == 0 {
		t.Fatal("no fingerprints")
	}
	for name, text := range map[string]string{
		"case":        "THE LAUNCH OF THE NEW OFFICE IN BASEL MOVES TO THE THIRD OF MARCH, AND NOBODY ELSE KNOWS.",
		"spaces":      "The  launch\nof\tthe new office in Basel moves to the\r\nthird of March, and nobody else knows. ",
		"marks":       "> **The launch** of the new office—in Basel—moves to the third of March; and nobody else knows",
		"full width":  "Ｔｈｅ ｌａｕｎｃｈ ｏｆ the new office in Basel moves to the third of March, and nobody else knows.",
		"ligatures":   "The launch of the new oﬃce in Basel moves to the third of March, and nobody else knows.",
		"zero widths": "The lau\u200bnch of the new off\u00adice in Basel moves to the third of March, and nobody\u2060 else knows.",
	} {
		if got := m.Of(text); !slices.Equal(got, plain) {
			t.Errorf("%s: other fingerprints", name)
		}
	}
	if got := m.Of("In March, on the third, the new office in Basel is launched, which is known to nobody else."); shared(plain, got) != 0 {
		t.Error("another wording shares fingerprints")
	}
}

func TestLength(t *testing.T) {
	m := maker(t, testKey)
	random := rand.New(rand.NewPCG(3, 3))
	if got := m.Of(letters(random, fingerprint.Run-1)); got != nil {
		t.Errorf("a short text has %d fingerprints", len(got))
	}
	if got := m.Of(letters(random, fingerprint.Run)); len(got) != 1 {
		t.Errorf("a text of one window has %d fingerprints", len(got))
	}
	if got := m.Of(""); got != nil {
		t.Errorf("no text has %d fingerprints", len(got))
	}
	many := m.Of(letters(random, 700_000))
	if kept := fingerprint.Bound(many); len(many) <= fingerprint.MaxPrints || len(kept) != fingerprint.MaxPrints || !slices.Equal(kept, many[:len(kept)]) {
		t.Errorf("%d of %d are kept", len(kept), len(many))
	}
	if few := many[:7]; len(fingerprint.Bound(few)) != 7 {
		t.Error("few are not kept whole")
	}
}

func TestKeys(t *testing.T) {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 5)
	a, b := maker(t, testKey).Of(text), maker(t, "fedcba9876543210").Of(text)
	if shared(a, b) != 0 {
		t.Error("two keys give the same fingerprints")
	}
	if !slices.Equal(a, maker(t, testKey).Of(text)) || !slices.IsSorted(a) {
		t.Error("the same key does not give the same, sorted")
	}
	for _, key := range []string{"", "short", testKey + "0"} {
		if _, err := fingerprint.New([]byte(key)); err == nil {
			t.Errorf("a key of %d bytes is taken", len(key))
		}
	}
}
