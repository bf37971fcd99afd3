package decisionlog_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/decisionlog"
	"earshot/policy"
)

func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	// A copy has the modes that the system gives, and keys must be for their owner.
	err := filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheTreeIsThatOfTheRows writes batches of many sizes, with failures in between, and compares every
// tile with the one that tlog makes of the leaves.
func TestTheTreeIsThatOfTheRows(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	want := map[uint64]*policy.Entry{}
	for i := range 600 {
		e := numbered(i, 1)
		want[record(t, l, e).Index] = e
		if i%97 == 0 {
			if err := l.RecordBroken(); err == nil {
				t.Fatal("nothing failed")
			}
		}
		if i == 300 {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = open(t, decisionlog.Config{Dir: dir})
		}
	}
	produce(700, func(i int) {
		if _, err := l.Record(t.Context(), numbered(1000+i, 1)); err != nil {
			t.Error(err)
		}
	})
	verified(t, l, 1300)

	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (list []tlog.Hash, err error) {
		for _, i := range indexes {
			list = append(list, stored[i])
		}
		return list, nil
	})
	for seq := range int64(1300) {
		var leaf []byte
		if err := l.Reader().QueryRow(`SELECT leaf FROM entry WHERE seq = ?`, seq).Scan(&leaf); err != nil {
			t.Fatal(err)
		}
		hashes, err := tlog.StoredHashes(seq, leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, hashes...)
	}
	made := tlog.NewTiles(8, 0, 1300)
	for _, tile := range made {
		b, err := tlog.ReadTileData(tile, reader)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Tile(t.Context(), tile.L, uint64(tile.N), tile.W)
		if err != nil || string(got) != string(b) {
			t.Errorf("%s differs: %v", tile.Path(), err)
		}
	}
	var n int
	if err := l.Reader().QueryRow(`SELECT count(*) FROM tile`).Scan(&n); err != nil || n != len(made) {
		t.Errorf("%d tiles, %v, want %d", n, err, len(made))
	}
}
