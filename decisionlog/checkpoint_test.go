package decisionlog_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	checkpoints "github.com/transparency-dev/formats/log"
	tlogproof "github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

// notarized opens a log with keys and has it sign checkpoints.
func notarized(t testing.TB, dir string) (*decisionlog.Log, note.Verifier) {
	t.Helper()
	l, verifier, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return l, verifier
}

func openNotarized(t testing.TB, dir string) (*decisionlog.Log, note.Verifier, error) {
	t.Helper()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, CheckpointEvery: time.Hour})
	if err != nil {
		return nil, nil, err
	}
	ring, err := keyring.Open(dir, keyring.Given{}, start)
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	signer := ring.Signer(keyring.PurposeLog)
	key, _ := ring.Find(keyring.PurposeLog, signer.KeyID())
	text, err := decisionlog.VerifierKey(l.Origin(), key)
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	verifier, err := note.NewVerifier(text)
	if err == nil {
		err = l.SignCheckpoints(t.Context(), key, signer)
	}
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	return l, verifier, nil
}

func newCheckpoint(t testing.TB, l *decisionlog.Log, verifier note.Verifier) ([]byte, *checkpoints.Checkpoint) {
	t.Helper()
	text, err := l.NewCheckpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, _, _, err := checkpoints.ParseCheckpoint(text, l.Origin(), verifier)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text, c
}

// TestProofsHoldForOthers checks inclusion and consistency with another implementation, at sizes around
// the bounds of tiles.
func TestProofsHoldForOthers(t *testing.T) {
	l, verifier := notarized(t, t.TempDir())
	var leaves [][]byte
	made := map[uint64][]byte{}
	for _, size := range []int{1, 2, 3, 255, 256, 257, 511, 513, 700} {
		for i := len(leaves); i < size; i++ {
			position := record(t, l, numbered(i, 1))
			leaves = append(leaves, position.Leaf[:])
		}
		_, c := newCheckpoint(t, l, verifier)
		if c.Size != uint64(size) {
			t.Fatalf("the checkpoint is of size %d, want %d", c.Size, size)
		}
		made[c.Size] = c.Hash
		for _, index := range []int{0, size / 2, size - 1} {
			text, err := l.Proof(t.Context(), uint64(index), 0)
			if err != nil {
				t.Fatal(err)
			}
			inclusion(t, text, l.Origin(), verifier, leaves)
		}
		for from, root := range made {
			hashes, err := l.Consistency(t.Context(), from, c.Size)
			if err != nil {
				t.Fatal(err)
			}
			if err := proof.VerifyConsistency(rfc6962.DefaultHasher, from, c.Size, slicesOf(hashes), root, c.Hash); err != nil {
				t.Errorf("from %d to %d: %v", from, c.Size, err)
			}
		}
	}
	// An older checkpoint on request.
	text, err := l.Proof(t.Context(), 100, 255)
	if err != nil {
		t.Fatal(err)
	}
	if c := inclusion(t, text, l.Origin(), verifier, leaves); c.Size != 255 {
		t.Errorf("the proof is by the checkpoint of size %d, want 255", c.Size)
	}
	// One for an entry that no checkpoint has yet.
	leaves = append(leaves, sliceOf(record(t, l, numbered(700, 1)).Leaf))
	if text, err = l.Proof(t.Context(), 700, 0); err != nil {
		t.Fatal(err)
	}
	inclusion(t, text, l.Origin(), verifier, leaves)
	verified(t, l, 701)
}

func sliceOf(h [sha256.Size]byte) []byte { return h[:] }

func slicesOf(hashes [][sha256.Size]byte) (list [][]byte) {
	for _, h := range hashes {
		list = append(list, h[:])
	}
	return list
}

func inclusion(t testing.TB, text []byte, origin string, verifier note.Verifier, leaves [][]byte) *checkpoints.Checkpoint {
	t.Helper()
	var p tlogproof.TLogProof
	if err := p.Unmarshal(text); err != nil {
		t.Fatal(err)
	}
	c, _, _, err := checkpoints.ParseCheckpoint(p.Checkpoint, origin, verifier)
	if err != nil {
		t.Fatal(err)
	}
	if err := proof.VerifyInclusion(rfc6962.DefaultHasher, p.Index, c.Size, leaves[p.Index], slicesOf(p.Hashes), c.Hash); err != nil {
		t.Errorf("entry %d in %d: %v", p.Index, c.Size, err)
	}
	return c
}

func TestQuestionsAboutTheTreeHaveBounds(t *testing.T) {
	l, verifier := notarized(t, t.TempDir())
	for i := range 300 {
		record(t, l, numbered(i, 1))
	}
	newCheckpoint(t, l, verifier)
	record(t, l, numbered(300, 1))
	tests := map[string]struct {
		ask  func() error
		want string
	}{
		"an entry that is not there":        {func() error { _, err := l.Proof(t.Context(), 301, 0); return err }, "index"},
		"an entry behind a checkpoint":      {func() error { _, err := l.Proof(t.Context(), 300, 300); return err }, "index"},
		"a size without a checkpoint":       {func() error { _, err := l.Proof(t.Context(), 1, 299); return err }, "size"},
		"a size beyond all":                 {func() error { _, err := l.Proof(t.Context(), 1, 1<<63+7); return err }, "size"},
		"from nothing":                      {func() error { _, err := l.Consistency(t.Context(), 0, 10); return err }, "from"},
		"backwards":                         {func() error { _, err := l.Consistency(t.Context(), 11, 10); return err }, "from"},
		"to more than there is":             {func() error { _, err := l.Consistency(t.Context(), 1, 302); return err }, "to"},
		"a tile that is not there":          {func() error { _, err := l.Tile(t.Context(), 0, 2, 1); return err }, "n"},
		"a tile beyond all":                 {func() error { _, err := l.Tile(t.Context(), 0, 1<<63, 1); return err }, "n"},
		"more of a tile than there is":      {func() error { _, err := l.Tile(t.Context(), 0, 1, 46); return err }, "n"},
		"no width":                          {func() error { _, err := l.Tile(t.Context(), 0, 0, 0); return err }, "width"},
		"too wide":                          {func() error { _, err := l.Tile(t.Context(), 0, 0, 257); return err }, "width"},
		"a level that is not there":         {func() error { _, err := l.Tile(t.Context(), 2, 0, 1); return err }, "n"},
		"a level that no tree has":          {func() error { _, err := l.Tile(t.Context(), 9, 0, 1); return err }, "level"},
		"a negative level":                  {func() error { _, err := l.Tile(t.Context(), -1, 0, 1); return err }, "level"},
		"more leaves than there are":        {func() error { _, err := l.EntryBundle(t.Context(), 1, 46); return err }, "n"},
		"leaves under a tile beyond all":    {func() error { _, err := l.EntryBundle(t.Context(), 1<<62, 256); return err }, "n"},
		"a bundle of leaves without leaves": {func() error { _, err := l.EntryBundle(t.Context(), 0, 0); return err }, "width"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			query, ok := errors.AsType[*decisionlog.QueryError](test.ask())
			if !ok || query.Parameter != test.want {
				t.Errorf("got %v, want an error about %s", query, test.want)
			}
		})
	}
	for width := 1; width <= 45; width += 44 {
		b, err := l.Tile(t.Context(), 0, 1, width)
		if err != nil || len(b) != 32*width {
			t.Errorf("%d bytes, %v, want %d hashes", len(b), err, width)
		}
	}
}

// TestCheckpointsAreMade looks at each moment at which one must be there.
func TestCheckpointsAreMade(t *testing.T) {
	dir := t.TempDir()
	l, verifier, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	size := func(l *decisionlog.Log) uint64 {
		text, err := l.Checkpoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c, _, _, err := checkpoints.ParseCheckpoint(text, l.Origin(), verifier)
		if err != nil {
			t.Fatal(err)
		}
		return c.Size
	}
	if got := size(l); got != 0 {
		t.Errorf("at first of size %d, want 0", got)
	}
	record(t, l, numbered(0, 1))
	first, _ := newCheckpoint(t, l, verifier)
	if again, _ := newCheckpoint(t, l, verifier); !bytes.Equal(first, again) {
		t.Error("a tree that has not grown got two checkpoints")
	}
	record(t, l, numbered(1, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, decisionlog.Config{Dir: dir})
	if got := size(l); got != 2 {
		t.Errorf("after the end of size %d, want 2", got)
	}
	if _, err := l.NewCheckpoint(t.Context()); !errors.Is(err, decisionlog.ErrNoCheckpoint) {
		t.Errorf("without a key: %v, want %v", err, decisionlog.ErrNoCheckpoint)
	}
}

func TestCheckpointsAreMadeOnATimer(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir, CheckpointEvery: time.Millisecond})
	ring, err := keyring.Open(dir, keyring.Given{}, start)
	if err != nil {
		t.Fatal(err)
	}
	signer := ring.Signer(keyring.PurposeLog)
	key, _ := ring.Find(keyring.PurposeLog, signer.KeyID())
	if err := l.SignCheckpoints(t.Context(), key, signer); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		record(t, l, numbered(i, 1))
		waitFor(t, func() bool {
			text, err := l.Checkpoint(t.Context())
			return err == nil && strings.Contains(string(text), fmt.Sprintf("\n%d\n", i+1))
		})
	}
}

// TestNoCheckpointOfAnotherTree changes the tree under a running log: nothing is signed from then on,
// and the log is not ready.
func TestNoCheckpointOfAnotherTree(t *testing.T) {
	for name, change := range map[string]string{
		"below the last checkpoint":  `UPDATE tile SET hashes = CAST(randomblob(32) || substr(hashes, 33) AS BLOB) WHERE level = 0 AND n = 0`,
		"above the last checkpoint":  `UPDATE tile SET hashes = CAST(substr(hashes, 1, length(hashes) - 32) || randomblob(32) AS BLOB) WHERE level = 0 AND n = 0`,
		"the last checkpoint itself": `UPDATE checkpoint SET note = CAST(replace(CAST(note AS TEXT), '— ', '—  ') AS BLOB)`,
		"no last checkpoint":         `DELETE FROM checkpoint`,
		"a tile less":                `DELETE FROM tile`,
	} {
		t.Run(name, func(t *testing.T) {
			l, verifier := damagedNotary(t)
			record(t, l, numbered(0, 1))
			record(t, l, numbered(1, 1))
			text, _ := newCheckpoint(t, l, verifier)
			record(t, l, numbered(2, 1))
			if err := l.ExecOnWriter(t.Context(), `DROP TRIGGER tile_keeps; DROP TRIGGER tile_stays; DROP TRIGGER checkpoint_keeps; DROP TRIGGER checkpoint_stays; `+change); err != nil {
				t.Fatal(err)
			}
			if got, err := l.NewCheckpoint(t.Context()); !errors.Is(err, decisionlog.ErrDamaged) {
				t.Errorf("signed %s after %s, %v", got, text, err)
			}
			if err := l.Ready(t.Context()); !errors.Is(err, decisionlog.ErrDamaged) {
				t.Errorf("ready: %v, want %v", err, decisionlog.ErrDamaged)
			}
			if _, err := l.Verify(t.Context(), nil); !errors.Is(err, decisionlog.ErrDamaged) && name != "no last checkpoint" {
				t.Errorf("verify: %v, want %v", err, decisionlog.ErrDamaged)
			}
		})
	}
}

// damagedNotary is notarized for a log that cannot sign when it is closed.
func damagedNotary(t *testing.T) (*decisionlog.Log, note.Verifier) {
	t.Helper()
	l, verifier, err := openNotarized(t, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); !errors.Is(err, decisionlog.ErrDamaged) {
			t.Errorf("close: %v, want %v", err, decisionlog.ErrDamaged)
		}
	})
	return l, verifier
}
