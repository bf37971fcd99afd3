package decisionlog_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/decisionlog"
	"earshot/policy"
)

// powerCut has what a disk holds at one moment: the database file, and the write-ahead log up to some
// length.
type powerCut struct {
	database, wal []byte
}

// take reads the files of a running log.
func takeFiles(t *testing.T, dir string) powerCut {
	t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return powerCut{read("decisions.db"), read("decisions.db-wal")}
}

// restore writes the files into a folder with the keys of another, with the write-ahead log cut.
func (p powerCut) restore(t *testing.T, keys string, length int, change func([]byte)) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "keys"), 0o700); err != nil {
		t.Fatal(err)
	}
	copyFolder(t, filepath.Join(keys, "keys"), filepath.Join(dir, "keys"))
	wal := append([]byte(nil), p.wal[:length]...)
	if change != nil {
		change(wal)
	}
	for name, content := range map[string][]byte{"decisions.db": p.database, "decisions.db-wal": wal} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// frames returns the lengths at which a write-ahead log can be cut between two frames (SQLite file
// format, section 4.1).
func frames(wal []byte) (lengths []int) {
	const header, frameHeader = 32, 24
	page := int(binary.BigEndian.Uint32(wal[8:12]))
	for at := header; at <= len(wal); at += frameHeader + page {
		lengths = append(lengths, at)
	}
	return lengths
}

// TestAPowerCutLosesNoAnswer cuts the write-ahead log at every frame behind the last one that was synced
// before an answer, in the middle of frames, and with a frame of it torn: what a disk may have done with
// writes that nobody waited for. Every start heals, what was answered is there, and the tree is that of the
// rows.
func TestAPowerCutLosesNoAnswer(t *testing.T) {
	dir := t.TempDir()
	l, _, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[uint64]*policy.Entry{}
	add := func(i int) {
		e := numbered(i, 1)
		want[record(t, l, e).Index] = e
	}
	// Around the end of a tile, where a commit writes the most of them.
	for i := range 250 {
		add(i)
	}
	// A new start begins a new write-ahead log, which then grows.
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, verifier := notarized(t, dir)
	answered := map[uint64]*policy.Entry{}
	for i := 250; i < 258; i++ {
		synced := takeFiles(t, dir) // The writer is idle: all of it was synced before the answer.
		for index, e := range want {
			answered[index] = e
		}
		add(i)
		if i == 255 {
			newCheckpoint(t, l, verifier)
		}
		later := takeFiles(t, dir)
		if len(later.wal) <= len(synced.wal) {
			t.Fatal("the write-ahead log did not grow, so there is nothing to cut")
		}
		for _, length := range frames(later.wal) {
			if length < len(synced.wal) {
				continue
			}
			heals(t, later.restore(t, dir, length, nil), answered)
			if length == len(later.wal) {
				break
			}
			heals(t, later.restore(t, dir, length+1000, nil), answered)
			// A frame that never arrived, though those behind it did.
			heals(t, later.restore(t, dir, len(later.wal), func(wal []byte) { clear(wal[length : length+24+4096]) }), answered)
		}
	}
}

// heals opens a folder after a power cut and goes on.
func heals(t *testing.T, dir string, answered map[uint64]*policy.Entry) {
	t.Helper()
	l, _, err := openNotarized(t, dir)
	if err != nil {
		t.Fatalf("the start after a power cut: %v", err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	rows := l.Committed()
	if rows < uint64(len(answered)) {
		t.Fatalf("%d rows, and %d were answered", rows, len(answered))
	}
	for index, e := range answered {
		if index+3 < uint64(len(answered)) && index%97 != 0 {
			continue // Verify looks at all of them.
		}
		if got := get(t, l, e.ID); got.Log.Index != index {
			t.Errorf("%s is in row %d, want %d", e.ID, got.Log.Index, index)
		}
	}
	record(t, l, numbered(5000, 1))
	verified(t, l, rows+1)
}

// TestATreeBehindItsRowsIsRefused takes the last write of the tree back. It cannot happen by a power cut,
// so it is no state to mend.
func TestATreeBehindItsRowsIsRefused(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for statement, says := range map[string]string{
		`UPDATE tile SET hashes = substr(hashes, 1, 64)`:                               "the tree has 2 leaves and the ledger 3 rows",
		`UPDATE tile SET hashes = CAST(substr(hashes, 1, 64) || zeroblob(32) AS BLOB)`: "ledger row 2: decision log is damaged: the leaf is not the one in tile 0",
		`DELETE FROM tile`: "the tree has 0 leaves",
	} {
		copied := t.TempDir()
		copyFolder(t, dir, copied)
		tamper(t, copied, statement)
		if l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: copied}); !isDamage(err, says) {
			t.Errorf("%s: got %v, %v, want %q", statement, l, err, says)
		}
	}
}

func isDamage(err error, says string) bool {
	return errors.Is(err, decisionlog.ErrDamaged) && strings.Contains(err.Error(), says)
}
