package decisionlog_test

import (
	"bytes"
	"errors"
	"testing"

	"earshot/decisionlog"
)

// stored returns the leaf, the payload and a document of a recorded entry, as seeds.
func stored(f *testing.F) (leaf, payload, document []byte) {
	l := open(f, decisionlog.Config{Dir: f.TempDir()})
	record(f, l, numbered(0, 3))
	row := l.Reader().QueryRowContext(f.Context(), `SELECT leaf, payload,
		(SELECT body FROM definition WHERE body IS NOT NULL ORDER BY length(body) DESC LIMIT 1) FROM entry`)
	if err := row.Scan(&leaf, &payload, &document); err != nil {
		f.Fatal(err)
	}
	return leaf, payload, document
}

func FuzzLeaf(f *testing.F) {
	leaf, _, _ := stored(f)
	f.Add(leaf)
	f.Add([]byte(`{"v":1,"type":"decision"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		again, err := decisionlog.CanonicalLeaf(b)
		switch {
		case err == nil && !bytes.Equal(b, again):
			t.Errorf("%q was read and written as %q", b, again)
		case err != nil && !errors.Is(err, decisionlog.ErrDamaged):
			t.Errorf("got %v, want %v", err, decisionlog.ErrDamaged)
		}
	})
}

func FuzzPayload(f *testing.F) {
	_, payload, _ := stored(f)
	f.Add(payload)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := decisionlog.ParsePayload(b); err != nil && !errors.Is(err, decisionlog.ErrDamaged) {
			t.Errorf("got %v, want %v", err, decisionlog.ErrDamaged)
		}
	})
}

func FuzzDocument(f *testing.F) {
	_, _, document := stored(f)
	f.Add(document)
	for kind := range byte(9) {
		f.Add([]byte{kind, 0, 0, 0, 0})
	}
	empty := open(f, decisionlog.Config{Dir: f.TempDir()})
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := empty.ReadDocument(t.Context(), b); err != nil && !errors.Is(err, decisionlog.ErrDamaged) {
			t.Errorf("got %v, want %v", err, decisionlog.ErrDamaged)
		}
	})
}
