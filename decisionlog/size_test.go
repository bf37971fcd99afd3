package decisionlog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"earshot/decisionlog"
)

// TestATextIsStoredOnce records unique texts of 4 MB, and looks how much the database grows.
func TestATextIsStoredOnce(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	const n, size = 40, 100_000
	for i := range n {
		e := numbered(i, 1)
		e.Request.Turn.Attributes = fmt.Appendf(nil, `{"note":"%0*d"}`, size, i)
		record(t, l, e)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "decisions.db"))
	if err != nil {
		t.Fatal(err)
	}
	if got, most := info.Size(), int64(n*size*5/4); got > most {
		t.Errorf("%d bytes of text take %d, want at most %d", n*size, got, most)
	}
}

// TestANameIsNotMistakenForAnother puts another text in the place of one, as a collision would.
func TestANameIsNotMistakenForAnother(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	tamper(t, dir, `UPDATE name SET text = CAST('user:eve' AS BLOB) WHERE text = CAST('user:ann' AS BLOB)`)

	l = open(t, decisionlog.Config{Dir: dir})
	if position, err := l.Record(t.Context(), numbered(1, 1)); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("record: got %v, %v, want %v", position, err, decisionlog.ErrDamaged)
	}
	if page, err := l.List(t.Context(), decisionlog.Query{Viewer: "user:ann"}); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("list: got %v, %v, want %v", page, err, decisionlog.ErrDamaged)
	}
	e := numbered(1, 1)
	e.Request.Turn.Viewers, e.Viewers.Present = nil, nil
	record(t, l, e)
}

// TestDocumentsInMemoryAreBoundedInBytes reads documents of many sizes.
func TestDocumentsInMemoryAreBoundedInBytes(t *testing.T) {
	const most = 20_000
	l := open(t, decisionlog.Config{Dir: t.TempDir(), CacheBytes: most})
	seen := 0
	for i := range 60 {
		e := numbered(i, 3)
		// Two bytes a member and more: the largest have no place in the memory at all.
		e.Request.Turn.Viewers = members(100 * (i%20 + 1))
		record(t, l, e)
		get(t, l, e.ID)
		got := l.CachedBytes()
		if got > most {
			t.Fatalf("%d bytes are remembered, want at most %d", got, most)
		}
		seen = max(seen, got)
	}
	if seen < most/2 {
		t.Errorf("at most %d bytes were remembered, want more", seen)
	}
}

func TestKnownItemsCostAFewBytes(t *testing.T) {
	for _, c := range []struct{ candidates, most int }{{10, 250}, {100, 600}} {
		t.Run(fmt.Sprint(c.candidates), func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range 60 {
				record(t, l, numbered(i, c.candidates))
			}
			e := numbered(3, c.candidates)
			e.Request.Turn.ID, e.ID = "another turn", "another-id"
			position := record(t, l, e)
			var size int
			row := alongside(t, dir).QueryRowContext(t.Context(), `SELECT length(payload) FROM entry WHERE seq = ?`, position.Index)
			if err := row.Scan(&size); err != nil {
				t.Fatal(err)
			}
			if size > c.most {
				t.Errorf("payload has %d bytes, want at most %d", size, c.most)
			}
		})
	}
}

// TestEqualValuesAreStoredOnce restarts in between, so that the memory is no help.
func TestEqualValuesAreStoredOnce(t *testing.T) {
	dir := t.TempDir()
	count := func() (definitions, names int) {
		l := open(t, decisionlog.Config{Dir: dir, Cache: 1})
		e := numbered(1, 5)
		record(t, l, e)
		row := l.Reader().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM definition), (SELECT count(*) FROM name)`)
		if err := errors.Join(row.Scan(&definitions, &names), l.Close()); err != nil {
			t.Fatal(err)
		}
		return definitions, names
	}
	definitions, names := count()
	if d, n := count(); d != definitions || n != names {
		t.Errorf("the second time there were %d definitions and %d names, want %d and %d", d, n, definitions, names)
	}
}
