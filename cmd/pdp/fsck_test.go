package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

// TestFsckOfTessera has another program read the whole tree over HTTP and verify it. The version is the
// one that .ci/run installs.
func TestFsckOfTessera(t *testing.T) {
	fsck, err := exec.LookPath("fsck-tessera")
	if err != nil {
		t.Skip("there is no fsck-tessera in the PATH: github.com/transparency-dev/tessera/cmd/fsck did not look at the tree")
	}
	const entries = 600
	data := filepath.Join(t.TempDir(), "data")
	server := startServer(t, data)
	l := startLoad(server, 8)
	l.until(t, "answers", func(answered, _ int) bool { return answered >= entries })
	l.stop()
	server.terminate(t)
	origin, key := logKey(t, data)
	server = startServer(t, data) // It has a checkpoint of all that the first one recorded.

	succeeded := "Successfully fsck'd"
	if said := runFsck(t, fsck, server.base+"/v1/log/", origin, key); !strings.Contains(said, succeeded) {
		t.Errorf("fsck says:\n%s", said)
	}
	server.terminate(t)

	// It must be able to fail: one byte of one leaf.
	flipLeaf(t, data, 300)
	server = startServer(t, data)
	if said := runFsck(t, fsck, server.base+"/v1/log/", origin, key); strings.Contains(said, succeeded) {
		t.Errorf("fsck says of a log with another leaf:\n%s", said)
	}
}

// logKey returns the origin of a log and its key in the form of fsck.
func logKey(t *testing.T, data string) (origin, key string) {
	t.Helper()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	origin = log.Origin()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	keys, err := keyring.List(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if k.Purpose != keyring.PurposeLog {
			continue
		}
		if key, err = decisionlog.VerifierKey(origin, k); err != nil {
			t.Fatal(err)
		}
	}
	return origin, key
}

// runFsck returns what fsck prints. Its exit status says nothing, and it can hang on a tree that is
// wrong, so it has a time limit and what it prints counts.
func runFsck(t *testing.T, fsck, url, origin, key string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), tooLong/4)
	defer stop()
	command := exec.CommandContext(ctx, fsck, "-N", "4", "--ui=false", "--storage_url", url, "--origin", origin, "--public_key", file)
	said, err := command.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		t.Fatal(err)
	}
	return string(said)
}

// flipLeaf changes a byte of a leaf behind the back of the log.
func flipLeaf(t *testing.T, data string, seq int) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(data, "decisions.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var guard string
	if err := db.QueryRow(`SELECT sql FROM sqlite_schema WHERE name = 'entry_keeps'`).Scan(&guard); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`DROP TRIGGER entry_keeps`,
		fmt.Sprintf(`UPDATE entry SET leaf = CAST(replace(CAST(leaf AS TEXT), '"v":1', '"v":2') AS BLOB) WHERE seq = %d`, seq),
		guard,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
