package decisionlog_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/decisionlog"
)

// signedLog returns the folder of a closed log with entries, of which the first two have a checkpoint and
// all three another.
func signedLog(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	l, verifier, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	record(t, l, numbered(0, 1))
	record(t, l, numbered(1, 1))
	newCheckpoint(t, l, verifier)
	record(t, l, numbered(2, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestATreeMadeAnewIsFound changes a leaf and makes the tree anew over it, so that only what was signed
// tells.
func TestATreeMadeAnewIsFound(t *testing.T) {
	dir := signedLog(t)
	conn, done := connect(t, dir)
	var tile []byte
	for seq := range 3 {
		var leaf []byte
		if err := conn.QueryRowContext(t.Context(), `SELECT leaf FROM entry WHERE seq = ?`, seq).Scan(&leaf); err != nil {
			t.Fatal(err)
		}
		if seq == 1 {
			leaf = bytes.Replace(leaf, []byte(numbered(1, 1).ID), []byte(numbered(7, 1).ID), 1)
		}
		hash := tlog.RecordHash(leaf)
		tile = append(tile, hash[:]...)
	}
	done()
	tamper(t, dir, `UPDATE entry SET leaf = CAST(replace(CAST(leaf AS TEXT), ?, ?) AS BLOB) WHERE seq = 1`, numbered(1, 1).ID, numbered(7, 1).ID)
	tamper(t, dir, `UPDATE tile SET hashes = ?`, tile)

	const says = "the tree of the first 3 entries is not the one in the checkpoint"
	if l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir}); !isDamage(err, says) {
		t.Errorf("got %v, %v, want %q", l, err, says)
	}
	l := open(t, decisionlog.Config{Dir: dir, Unchecked: true})
	found, err := l.VerifyBy(t.Context(), decisionlog.VerifyConfig{})
	if want := "ledger row 0 or one after it, before row 2, is not the one that the checkpoint of size 2"; !isDamage(err, want) || found.Checkpoints != 1 {
		t.Errorf("found %+v, %v, want %q", found, err, want)
	}
}

// TestNoBitOfACheckpointIsIdle sets a bit of the last base64 digit that no byte is made of.
func TestNoBitOfACheckpointIsIdle(t *testing.T) {
	dir := signedLog(t)
	var text string
	conn, done := connect(t, dir)
	if err := conn.QueryRowContext(t.Context(), `SELECT CAST(note AS TEXT) FROM checkpoint WHERE size = 3`).Scan(&text); err != nil {
		t.Fatal(err)
	}
	done()
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	end := strings.LastIndexByte(text, '=') - 1
	changed := text[:end] + string(digits[strings.IndexByte(digits, text[end])|1]) + text[end+1:]
	of := func(note string) string {
		b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(note[strings.LastIndexByte(note, ' ')+1:]))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if changed == text || of(changed) != of(text) {
		t.Fatalf("%q is no other form of %q", changed, text)
	}
	tamper(t, dir, `UPDATE checkpoint SET note = CAST(? AS BLOB) WHERE size = 3`, changed)
	if l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir}); !isDamage(err, "the checkpoint of size 3 is not in the form") {
		t.Errorf("got %v, %v", l, err)
	}
}
