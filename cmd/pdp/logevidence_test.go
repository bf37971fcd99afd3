package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// evidenceOf returns the unpacked package of a log with decisions, a hand-off with receipts and several
// checkpoints, and the names of its files.
func evidenceOf(t *testing.T, flags ...string) (dir string, names []string) {
	t.Helper()
	work := t.TempDir()
	data, packed := filepath.Join(work, "data"), filepath.Join(work, "e.zip")
	pdp := func(args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		p := &process{
			args: args, stdin: strings.NewReader(""), stdout: io.Discard, stderr: &stderr,
			getenv: func(string) (string, bool) { return "", false },
		}
		if status := run(t.Context(), p); status != statusFine {
			t.Fatalf("pdp %v: %d %s", args, status, stderr.String())
		}
	}
	write := func(name, text string) string {
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	question := write("q.json", `{"turn": {"agent": "agent:scribe", "viewers": ["user:ann"]}, "candidates": [
		{"id": "m1", "audience": ["user:ann"], "agent": "agent:scribe"}]}`)
	handoff := write("h.json", `{"agent_id": "agent:scribe", "elements": [], "boundary": {"shared_substrate": false}}`)
	for range 3 {
		pdp("decide", "--data", data, question)
	}
	pdp("handoff", "--data", data, handoff)
	pdp("decide", "--data", data, question)
	pdp(append([]string{"log", "evidence", "--data", data, "-o", packed}, flags...)...)

	archive, err := zip.OpenReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	dir = filepath.Join(work, "unpacked")
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	return dir, names
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// verifyEvidence runs the commands of VERIFY.md as written, the first skip left out, until one fails.
func verifyEvidence(t *testing.T, dir string, skip int) (string, error) {
	t.Helper()
	text, err := os.ReadFile("../../decisionlog/evidence/VERIFY.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 6 {
		t.Fatalf("%d blocks of commands", len(blocks))
	}
	var output string
	for _, block := range blocks[skip:] {
		shell := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", block[1])
		shell.Dir = dir
		out, err := shell.CombinedOutput()
		output += string(out)
		if err != nil {
			return output, err
		}
	}
	return output, nil
}

func TestEvidenceVerifies(t *testing.T) {
	dir, names := evidenceOf(t)
	output, err := verifyEvidence(t, dir, 0)
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, says := range []string{"entries and their checkpoints are in order", "receipts are signed", "1 policies decided, the files of 0 are missing"} {
		if !strings.Contains(output, says) {
			t.Errorf("the commands do not say %q: %s", says, output)
		}
	}
	if strings.Contains(output, "\n0 entries") || strings.Contains(output, "\n0 receipts") {
		t.Errorf("there is nothing in the package: %s", output)
	}
	if slices.Contains(names, "decisions.jsonl") {
		t.Error("the names are there, and nobody asked for them")
	}
	entries, err := os.ReadFile(filepath.Join(dir, "entries.jsonl"))
	if err != nil || bytes.Contains(entries, []byte("user:ann")) {
		t.Errorf("entries.jsonl names a person, %v", err)
	}
}

// A byte that is changed in any file is found.
func TestEvidenceThatWasChanged(t *testing.T) {
	dir, names := evidenceOf(t, "--names")
	if !slices.Contains(names, "decisions.jsonl") {
		t.Fatal("the names are not there")
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(sound)
		changed[len(changed)/2] ^= 1
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if output, err := verifyEvidence(t, dir, 0); err == nil {
			t.Errorf("%s was changed, and the commands say %s", name, output)
		}
		if err := os.WriteFile(path, sound, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Whoever could sign a manifest of their own is still bound to the log: the digests and the signature of
// the manifest are left out here.
func TestEvidenceThatWasMadeAnew(t *testing.T) {
	dir, _ := evidenceOf(t)
	path := filepath.Join(dir, "entries.jsonl")
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(sound), "\n"), "\n")
	swapped := slices.Clone(lines)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	field := func(name string) string {
		return regexp.MustCompile(`"` + name + `":"([^"]*)"`).FindStringSubmatch(lines[1])[1]
	}
	other := func(name string) string {
		return strings.Replace(string(sound), regexp.MustCompile(`"`+name+`":"[^"]*"`).FindString(lines[0]), `"`+name+`":"`+field(name)+`"`, 1)
	}
	for what, text := range map[string]string{
		"an entry left out": strings.Join(lines[1:], ""), "swapped": strings.Join(swapped, ""), "another leaf": other("leaf"),
		"another payload": other("payload"), "another proof": other("proof"),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if output, err := verifyEvidence(t, dir, 2); err == nil {
			t.Errorf("%s: the commands say %s", what, output)
		}
	}
	if err := os.WriteFile(path, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := verifyEvidence(t, dir, 2); err != nil {
		t.Errorf("put back: %v %s", err, output)
	}
}
