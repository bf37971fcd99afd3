package decisionlog_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/tlog"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestLedgerRefusesChange(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	want := map[uint64]*policy.Entry{}
	for i := range 3 {
		e := numbered(i, 2)
		want[record(t, l, e).Index] = e
	}
	other := alongside(t, dir)
	for _, statement := range []string{
		`UPDATE entry SET leaf = x'00' WHERE seq = 1`,
		`UPDATE entry SET seq = 9 WHERE seq = 2`,
		`UPDATE entry SET payload = x'00' WHERE seq = 1`,
		`UPDATE entry SET leaf = x'00', payload = NULL WHERE seq = 1`,
		`DELETE FROM entry WHERE seq = 2`,
		`DELETE FROM entry`,
		`INSERT INTO entry VALUES (1, x'00', x'00')`,
		`INSERT INTO entry VALUES (-1, x'00', x'00')`,
		`INSERT INTO entry VALUES (7, x'00', x'00')`,
		`INSERT OR REPLACE INTO entry VALUES (1, x'00', x'00')`,
		`UPDATE definition SET digest = zeroblob(32) WHERE handle = 1`,
		`UPDATE definition SET body = NULL WHERE body IS NOT NULL`,
		`DELETE FROM definition WHERE handle = (SELECT max(handle) FROM definition)`,
		`INSERT OR REPLACE INTO definition VALUES (1, zeroblob(32), NULL)`,
		`INSERT INTO definition VALUES (100000, zeroblob(32), NULL)`,
		`UPDATE name SET text = 'eve' WHERE handle = (SELECT min(handle) FROM name)`,
		`INSERT OR REPLACE INTO name SELECT min(handle), zeroblob(16), zeroblob(16), x'00' FROM name`,
		`INSERT OR REPLACE INTO name SELECT 1 + max(handle), hash, zeroblob(16), text FROM name WHERE handle = 1`,
	} {
		if _, err := other.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: was carried out", statement)
		}
	}
	checkAll(t, l, want)
}

func TestLeafIsCanonicalAndCommitsToEverything(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	other := alongside(t, dir)
	for i := range 3 {
		position := record(t, l, numbered(i, 2))
		var leaf, payload []byte
		row := other.QueryRowContext(t.Context(), `SELECT leaf, payload FROM entry WHERE seq = ?`, position.Index)
		if err := row.Scan(&leaf, &payload); err != nil {
			t.Fatal(err)
		}
		canonical, err := jcs.Transform(leaf)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(leaf, canonical) {
			t.Errorf("leaf %s\nis not %s", leaf, canonical)
		}
		if got := tlog.RecordHash(leaf); got != tlog.Hash(position.Leaf) {
			t.Errorf("position has leaf %x, want %v", position.Leaf, got)
		}
		sum := sha256.Sum256(payload)
		if !bytes.Contains(leaf, []byte(`"payload":"sha256:`+hex.EncodeToString(sum[:])+`"`)) {
			t.Errorf("leaf %s does not commit to the payload", leaf)
		}
		for _, text := range []string{"user:", "agent:", "item-", "turn-", "acme", "slack"} {
			if bytes.Contains(leaf, []byte(text)) || bytes.Contains(payload, []byte(text)) {
				t.Errorf("%q is in the leaf or the payload", text)
			}
		}
	}
}

// TestAShorterLedgerIsNotContinued takes the end away under a running log, which then meets a
// failure and reads again where the ledger ends.
func TestAShorterLedgerIsNotContinued(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	if err := l.ExecOnWriter(t.Context(), `DROP TRIGGER entry_stays; DELETE FROM entry WHERE seq = 2`); err != nil {
		t.Fatal(err)
	}
	if err := l.PanicInTask(t.Context()); err == nil {
		t.Fatal("nothing failed")
	}
	if position, err := l.Record(t.Context(), numbered(3, 1)); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("got %v, %v, want %v", position, err, decisionlog.ErrDamaged)
	}
}

// TestFilesWrittenOverAreNotContinued copies an older state over the files of a running log, into the
// same inodes. What is committed on top of it would be gone with the next start.
func TestFilesWrittenOverAreNotContinued(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	older := make(map[string][]byte)
	for i := range 4 {
		record(t, l, numbered(i, 1))
		if i > 0 {
			continue
		}
		for _, name := range []string{"decisions.db", "decisions.db-wal"} {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			older[name] = content
		}
	}
	for name, content := range older {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		position, err := l.Record(t.Context(), numbered(5, 1))
		if !errors.Is(err, decisionlog.ErrUnavailable) || !strings.Contains(err.Error(), "another program") {
			t.Errorf("got %v, %v", position, err)
		}
	}
}

// TestAReplacedDatabaseIsNotRead puts a copy in the place of the database of a running log.
func TestAReplacedDatabaseIsNotRead(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 1))
	path := filepath.Join(dir, "decisions.db")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if page, err := l.List(t.Context(), decisionlog.Query{}); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("listed %+v, %v", page, err)
	}
}

// TestProtectedFilesAreNotTouched makes each file read-only in turn, as a remount or an immutable flag
// does under files that are open.
func TestProtectedFilesAreNotTouched(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, numbered(0, 1))
	for i, name := range []string{"decisions.db", "decisions.db-wal", "decisions.db-shm"} {
		err := l.Protect(t.Context(), func(path string) error {
			if filepath.Base(path) == name {
				return syscall.EROFS
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		position, err := l.Record(t.Context(), numbered(10+i, 1))
		if !errors.Is(err, decisionlog.ErrUnavailable) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: recorded as %v, %v", name, position, err)
		}
		if _, err := l.List(t.Context(), decisionlog.Query{}); !errors.Is(err, decisionlog.ErrUnavailable) {
			t.Errorf("%s: listed with %v", name, err)
		}
		if err := l.Protect(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		record(t, l, numbered(20+i, 1))
	}
}
