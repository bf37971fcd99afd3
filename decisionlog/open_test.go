package decisionlog_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

func TestOpenMakesAPrivateFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "some", "data ?#% folder")
	record(t, open(t, decisionlog.Config{Dir: dir}), numbered(0, 1))
	got := map[string]os.FileMode{}
	for _, name := range []string{".", "decisions.db", "decisions.db-wal", "lock"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = info.Mode().Perm()
	}
	want := map[string]os.FileMode{".": 0o700, "decisions.db": 0o600, "decisions.db-wal": 0o600, "lock": 0o600}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

func TestOpenNeedsAFolder(t *testing.T) {
	for name, c := range map[string]decisionlog.Config{
		"none":             {},
		"a negative queue": {Dir: t.TempDir(), Queue: -1},
	} {
		if l, err := decisionlog.Open(t.Context(), c); err == nil {
			t.Errorf("%s: got %v, want an error", name, l)
		}
	}
}

func TestOpenRefusesAFolderInUse(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	if _, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir}); !errors.Is(err, decisionlog.ErrInUse) {
		t.Errorf("got %v, want %v", err, decisionlog.ErrInUse)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, decisionlog.Config{Dir: dir})
}

func TestOpenKeepsTheOrigin(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct {
		origin string
		want   error
	}{
		{"", nil}, {"pdp.example.org/1", nil}, {"", nil}, {"pdp.example.org/1", nil},
		{"pdp.example.org/2", decisionlog.ErrForeign},
	} {
		l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, Origin: step.origin})
		if !errors.Is(err, step.want) {
			t.Errorf("origin %q: got %v, want %v", step.origin, err, step.want)
		}
		if err == nil {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestOpenRefusesWhatItCannotTrust(t *testing.T) {
	sqlDo := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite3", path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	overwrite := func(change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, change(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := map[string]struct {
		change func(t *testing.T, path string)
		want   error
	}{
		"no database": {overwrite(func([]byte) []byte { return []byte("Dear diary, today nothing was decided at all.") }), decisionlog.ErrForeign},
		"another program's database": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			sqlDo(`CREATE TABLE recipe (title TEXT)`)(t, path)
		}, decisionlog.ErrForeign},
		"another application id": {sqlDo(`PRAGMA application_id = 7`), decisionlog.ErrForeign},
		"a newer version":        {sqlDo(`PRAGMA user_version = 99`), decisionlog.ErrNewer},
		"a torn file":            {overwrite(func(b []byte) []byte { return b[:len(b)-8192] }), decisionlog.ErrDamaged},
		"a file cut to one page": {overwrite(func(b []byte) []byte { return b[:4096] }), decisionlog.ErrDamaged},
		"the last row gone":      {sqlDo(`DROP TRIGGER entry_stays; DELETE FROM entry WHERE seq = 2`), decisionlog.ErrDamaged},
		"all rows gone":          {sqlDo(`DROP TRIGGER entry_stays; DELETE FROM entry`), decisionlog.ErrDamaged},
		"the last leaf changed":  {sqlDo(`DROP TRIGGER entry_keeps; UPDATE entry SET leaf = x'7b7d' WHERE seq = 2`), decisionlog.ErrDamaged},
		"the last payload changed": {
			sqlDo(`DROP TRIGGER entry_keeps; UPDATE entry SET payload = x'00' WHERE seq = 2`), decisionlog.ErrDamaged,
		},
		"a definition gone": {
			sqlDo(`DROP TRIGGER definition_stays; DELETE FROM definition WHERE handle = (SELECT max(handle) FROM definition)`), decisionlog.ErrDamaged,
		},
		"an index ahead of the ledger": {sqlDo(`UPDATE progress SET entries = 4`), decisionlog.ErrDamaged},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				record(t, l, numbered(i, 20))
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "decisions.db")
			c.change(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}

			l, err = decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if err == nil {
				if err := l.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			after, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(before, after) {
				t.Error("the database was changed")
			}
		})
	}
}

func TestOpenAfterAnInterruptedStart(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "decisions.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, decisionlog.Config{Dir: dir})
	if got := record(t, l, numbered(0, 1)).Index; got != 0 {
		t.Errorf("the first entry is in row %d, want 0", got)
	}
}

func TestOpenRefusesADatabaseThatIsLocked(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	other := alongside(t, dir)
	exec(t, other, "BEGIN EXCLUSIVE")
	c := decisionlog.Config{Dir: dir, BusyTimeout: time.Millisecond}
	if _, err := decisionlog.Open(t.Context(), c); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, decisionlog.ErrUnavailable)
	}
	exec(t, other, "ROLLBACK")
	open(t, c)
}
