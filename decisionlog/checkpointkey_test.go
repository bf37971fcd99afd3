package decisionlog_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	checkpoints "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

// signerOf makes a note.Signer of a key that is in nobody's hands any more.
type signerOf struct {
	note.Verifier
	sign func([]byte) ([]byte, error)
}

func (s signerOf) Sign(message []byte) ([]byte, error) { return s.sign(message) }

// TestCheckpointsOutliveTheirKey rotates the log key: what the closed one signed still counts, and what it
// signs from then on does not.
func TestCheckpointsOutliveTheirKey(t *testing.T) {
	dir := t.TempDir()
	l, closed, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	record(t, l, numbered(0, 1))
	ring, err := keyring.Open(dir, keyring.Given{}, start)
	if err != nil {
		t.Fatal(err)
	}
	stolen := ring.Signer(keyring.PurposeLog)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := keyring.Rotate(dir, keyring.PurposeLog, start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}

	if l, _, err = openNotarized(t, dir); err != nil {
		t.Fatal(err)
	}
	record(t, l, numbered(1, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(2, 1))
	found, err := l.VerifyBy(t.Context(), decisionlog.VerifyConfig{})
	if err != nil || found.Checkpoints != 3 {
		t.Fatalf("found %+v, %v, want 3 checkpoints", found, err)
	}
	body := checkpoints.Checkpoint{Origin: l.Origin(), Size: 3, Hash: found.Root[:]}
	text, err := note.Sign(&note.Note{Text: string(body.Marshal())}, signerOf{closed, stolen.Sign})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, alongside(t, dir), `INSERT INTO checkpoint VALUES (3, ?)`, text)
	if _, err := l.Verify(t.Context(), nil); !errors.Is(err, decisionlog.ErrDamaged) || !strings.Contains(err.Error(), "signed by a key that was closed") {
		t.Errorf("got %v", err)
	}
}

// TestCheckpointsNeedTheirKeys takes the keys away, or another's in their place.
func TestCheckpointsNeedTheirKeys(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, folder := range []string{dir, other} {
		l, _, err := openNotarized(t, folder)
		if err != nil {
			t.Fatal(err)
		}
		record(t, l, numbered(0, 1))
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for says, keys := range map[string]string{
		"the data folder has no log keys":             "",
		"is signed by no log key of this data folder": filepath.Join(other, "keys"),
	} {
		mixed := t.TempDir()
		content, err := os.ReadFile(filepath.Join(dir, "decisions.db"))
		if err == nil {
			err = os.WriteFile(filepath.Join(mixed, "decisions.db"), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if keys != "" {
			copyFolder(t, keys, filepath.Join(mixed, "keys"))
		}
		if l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: mixed}); !isDamage(err, says) {
			t.Errorf("got %v, %v, want %q", l, err, says)
		}
		l := open(t, decisionlog.Config{Dir: mixed, Unchecked: true})
		if _, err := l.Verify(t.Context(), nil); !isDamage(err, says) {
			t.Errorf("verify: got %v, want %q", err, says)
		}
	}
}

// TestVerifyAsksAboutReceipts has every receipt verified by who knows their keys, and names the first that
// is not.
func TestVerifyAsksAboutReceipts(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	const first = 3
	if _, err := l.RecordReceipts(t.Context(), receipts(numbered(0, 1).ID)); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	found, err := l.VerifyBy(t.Context(), decisionlog.VerifyConfig{Receipt: func(envelope []byte) error {
		asked.Add(1)
		if !strings.Contains(string(envelope), "payload") {
			t.Errorf("asked about %s", envelope)
		}
		return nil
	}})
	if err != nil || found.Receipts != 2 || asked.Load() != 2 {
		t.Errorf("asked about %d: %+v, %v, want 2", asked.Load(), found, err)
	}
	found, err = l.VerifyBy(t.Context(), decisionlog.VerifyConfig{Receipt: func([]byte) error { return errors.New("it is forged") }})
	if !isDamage(err, "ledger row 3: ") || !strings.Contains(err.Error(), "it is forged") || found.Entries != first {
		t.Errorf("found %+v, %v, want an error about row %d", found, err, first)
	}
}
