package decisionlog_test

import (
	"fmt"
	"strings"
	"testing"

	"earshot/decisionlog"
)

// FuzzParseReferences wants either references or an error of every text, and what is found must be put to
// a log without harm.
func FuzzParseReferences(f *testing.F) {
	l, verifier := notarized(f, f.TempDir())
	record(f, l, numbered(0, 1))
	checkpoint, _ := newCheckpoint(f, l, verifier)
	proof, err := l.Proof(f.Context(), 0, 0)
	if err != nil {
		f.Fatal(err)
	}
	leaf := strings.Repeat("0", 64)
	for _, text := range []string{
		string(checkpoint), string(proof), "", "[]", "null", `{"log":null}`, `{"log":{"index":-1,"leaf":"x"}}`,
		fmt.Sprintf(`[{"ledger":{"index":18446744073709551615,"leaf":"sha256:%s"}}]`, leaf),
		`{"payloadType":"x","payload":"eyJsb2ciOnt9fQ=="}`,
		strings.Replace(string(proof), "index 0", "index 18446744073709551615", 1),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := decisionlog.ParseReferences(text)
		if (len(list) == 0) == (err == nil) {
			t.Fatalf("%d references, %v", len(list), err)
		}
		if err != nil {
			return
		}
		if _, err := l.VerifyBy(t.Context(), decisionlog.VerifyConfig{Against: list}); err != nil && !isDamage(err, "") {
			t.Errorf("%v", err)
		}
	})
}

func TestParseTilePath(t *testing.T) {
	for path, want := range map[string]decisionlog.TileRef{
		"0/000":                {Width: 256},
		"0/000.p/1":            {Width: 1},
		"3/x001/x234/067.p/17": {Level: 3, N: 1234067, Width: 17},
		"entries/x001/000":     {Entries: true, N: 1000, Width: 256},
		"63/999":               {Level: 63, N: 999, Width: 256},
	} {
		if got, err := decisionlog.ParseTilePath(path); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", path, got, err, want)
		}
	}
	for _, path := range []string{
		"", "0", "0/", "/000", "64/000", "-1/000", "00/000", "+1/000", "data/000", "entries", "0/1", "0/0001", "0/x001", "0/001/002",
		"0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p", "0/000.p/1/2", "0/x000/001", "0/000/", "0/-01",
		"0/x999/x999/x999/x999/x999/x999/x999/999",
	} {
		if got, err := decisionlog.ParseTilePath(path); err == nil {
			t.Errorf("%q is read as %+v", path, got)
		}
	}
}
