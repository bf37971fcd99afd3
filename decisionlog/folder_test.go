package decisionlog_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

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

func TestMakeFolderMakesEachDurable(t *testing.T) {
	root := t.TempDir()
	for _, step := range []struct {
		dir  string
		want []string
	}{
		{"a/b/c", []string{".", "a", "a/b"}},
		{"a/b/c", nil},
		{"a/b/d", []string{"a/b"}},
	} {
		var want []string
		for _, dir := range step.want {
			want = append(want, filepath.Join(root, dir))
		}
		got, err := decisionlog.MakeFolder(filepath.Join(root, step.dir))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: folders made durable (-want +got):\n%s", step.dir, diff)
		}
	}
	for range 2 { // A file that is there may be one that an earlier start left behind.
		got, err := decisionlog.CreateFile(filepath.Join(root, "a", "file"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{filepath.Join(root, "a")}, got); diff != "" {
			t.Errorf("folders of the file made durable (-want +got):\n%s", diff)
		}
	}
	if _, err := decisionlog.MakeFolder(filepath.Join(root, "a", "file", "x")); err == nil {
		t.Error("made a folder in a file")
	}
}
