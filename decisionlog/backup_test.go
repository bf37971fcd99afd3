package decisionlog_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// TestBackup backs a ledger up while it records, and restores the copy.
func TestBackup(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 200 {
		record(t, l, numbered(i, 20))
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for i := 200; ; i++ {
			select {
			case <-stop:
				return
			default:
				record(t, l, numbered(i, 20))
			}
		}
	})
	before := l.Committed()
	err := decisionlog.Backup(t.Context(), dir, file, nil)
	after := l.Committed()
	close(stop)
	group.Wait()
	if err != nil {
		t.Fatal(err)
	}
	verified(t, l, l.Committed())
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	if err := decisionlog.Backup(t.Context(), dir, file, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: got %v, want %v", err, fs.ErrExist)
	}

	into := filepath.Join(t.TempDir(), "new", "data")
	found, err := decisionlog.Restore{File: file, Dir: into}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if found.Entries < before || found.Entries > after+1 {
		t.Errorf("the copy has %d entries, want %d to %d", found.Entries, before, after)
	}
	if _, err := (decisionlog.Restore{File: file, Dir: into}).Run(t.Context()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a ledger: got %v, want %v", err, fs.ErrExist)
	}
	restored := open(t, decisionlog.Config{Dir: into})
	if diff := cmp.Diff(get(t, l, numbered(150, 1).ID), get(t, restored, numbered(150, 1).ID)); diff != "" {
		t.Errorf("a decision (-kept +restored):\n%s", diff)
	}
	record(t, restored, numbered(1<<20, 20))
	verified(t, restored, found.Entries+1)
	if got := names(t, into); len(got) != 4 { // with -wal, -shm and the lock
		t.Errorf("the restored folder has %v", got)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestRestoreRefuses(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 20 {
		record(t, l, numbered(i, 3))
	}
	if err := decisionlog.Backup(t.Context(), dir, file, nil); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(statement string) string {
		folder := t.TempDir()
		path := filepath.Join(folder, "decisions.db")
		if err := os.WriteFile(path, sound, 0o600); err != nil {
			t.Fatal(err)
		}
		tamper(t, folder, statement)
		return path
	}
	foreign := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(foreign, []byte("no database, whatever its name says it is\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		file string
		want error
	}{
		"a payload": {changed(`UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 7`), decisionlog.ErrDamaged},
		"a row":     {changed(`DELETE FROM entry WHERE seq = 7`), decisionlog.ErrDamaged},
		"the end":   {changed(`DELETE FROM entry WHERE seq = 19`), decisionlog.ErrDamaged},
		"a text":    {foreign, decisionlog.ErrForeign},
		"no file":   {filepath.Join(dir, "nowhere"), decisionlog.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			into := t.TempDir()
			_, err := decisionlog.Restore{File: test.file, Dir: into}.Run(t.Context())
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if diff := cmp.Diff([]string{"lock"}, names(t, into)); diff != "" {
				t.Errorf("left in the folder (-want +got):\n%s", diff)
			}
		})
	}
	if err := decisionlog.Backup(t.Context(), t.TempDir(), filepath.Join(t.TempDir(), "x"), nil); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("a backup of nothing: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
}
