package decisionlog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

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

func TestOpenRefusesWhatItCannotTrust(t *testing.T) {
	sqlDo := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			other, done := connect(t, filepath.Dir(path))
			defer done()
			exec(t, other, statement)
		}
	}
	behind := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, path string) { tamper(t, filepath.Dir(path), statement) }
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
		says   string
	}{
		"no database": {
			overwrite(func([]byte) []byte { return []byte("Dear diary, today nothing was decided at all.") }),
			decisionlog.ErrForeign, "not a SQLite database",
		},
		"another program's database": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			sqlDo(`CREATE TABLE recipe (title TEXT)`)(t, path)
		}, decisionlog.ErrForeign, "belongs to another program"},
		"another application id":   {sqlDo(`PRAGMA application_id = 7`), decisionlog.ErrForeign, "belongs to another program"},
		"a newer version":          {sqlDo(`PRAGMA user_version = 99`), decisionlog.ErrNewer, "install the newer program"},
		"a torn file":              {overwrite(func(b []byte) []byte { return b[:len(b)-8192] }), decisionlog.ErrDamaged, "malformed"},
		"a file cut to one page":   {overwrite(func(b []byte) []byte { return b[:4096] }), decisionlog.ErrDamaged, "malformed"},
		"the last row gone":        {behind(`DELETE FROM entry WHERE seq = 2`), decisionlog.ErrDamaged, "the last leaf ends at definition"},
		"all rows gone":            {behind(`DELETE FROM entry`), decisionlog.ErrDamaged, "the last leaf ends at definition"},
		"the last leaf changed":    {behind(`UPDATE entry SET leaf = x'7b7d' WHERE seq = 2`), decisionlog.ErrDamaged, "ledger row 2"},
		"the last payload changed": {behind(`UPDATE entry SET payload = x'00' WHERE seq = 2`), decisionlog.ErrDamaged, "ledger row 2"},
		"a definition gone": {
			behind(`DELETE FROM definition WHERE handle = (SELECT max(handle) FROM definition)`),
			decisionlog.ErrDamaged, "the last leaf ends at definition",
		},
		"the last row gone behind the index": {
			behind(`UPDATE progress SET entries = 3; DELETE FROM entry WHERE seq = 2`),
			decisionlog.ErrDamaged, "the index has 3 decisions and the ledger 2",
		},
		"an index ahead of the ledger": {sqlDo(`UPDATE progress SET entries = 4`), decisionlog.ErrDamaged, "the index has 4 decisions"},
		"a trigger gone":               {sqlDo(`DROP TRIGGER entry_stays`), decisionlog.ErrDamaged, "the trigger entry_stays is missing"},
		"a trigger without teeth": {
			sqlDo(`DROP TRIGGER entry_stays; CREATE TRIGGER entry_stays BEFORE DELETE ON entry BEGIN SELECT 1; END`),
			decisionlog.ErrDamaged, "the trigger entry_stays was changed",
		},
		"a trigger more": {
			sqlDo(`CREATE TRIGGER spoil AFTER INSERT ON name BEGIN DELETE FROM name WHERE handle = 1; END`),
			decisionlog.ErrDamaged, "the trigger spoil does not belong there",
		},
		"a table more":  {sqlDo(`CREATE TABLE note (text TEXT)`), decisionlog.ErrDamaged, "the table note does not belong there"},
		"a table gone":  {sqlDo(`DROP TABLE posting`), decisionlog.ErrDamaged, "the table posting is missing"},
		"an index gone": {sqlDo(`DROP INDEX document`), decisionlog.ErrDamaged, "the index document is missing"},
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
			if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("got %v, want %v with %q", err, c.want, c.says)
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

// What SQLite keeps for itself, such as the statistics of ANALYZE, is no change.
func TestOpenTakesStatistics(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	exec(t, alongside(t, dir), `ANALYZE`)
	verified(t, open(t, decisionlog.Config{Dir: dir}), 1)
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
