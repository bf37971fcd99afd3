package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var update = flag.Bool("update", false, "write the real output into README.md where it differs")

// testCommand is the one command of the README that this test does not run, since it is what runs
// this test. The script of the continuous integration must then have it.
const testCommand = "go test ./..."

// TestREADME runs every command of the README, in order, in one shell at the root of a copy of the
// repository, and compares what it prints.
func TestREADME(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	commands, err := readCommands(lines)
	if err != nil {
		t.Fatal(err)
	}
	if len(commands) < 20 {
		t.Fatalf("found %d commands, and the README has more", len(commands))
	}
	mustBeInCI(t, root, commands)

	addr := freeAddr(t)
	output := runShell(t, root, addr, script(commands, addr))
	parts := strings.Split(output, marker)
	if len(parts) != len(commands)+1 {
		t.Fatalf("the shell stopped after %d of %d commands:\n%s", len(parts)-1, len(commands), output)
	}
	for i := len(commands) - 1; i >= 0; i-- {
		c := commands[i]
		var status int
		if _, err := fmt.Sscanf(parts[i+1], "%d\n", &status); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(parts[i], addr, readmeAddr)
		if i > 0 {
			_, got, _ = strings.Cut(got, "\n") // the status of the command before
		}
		if status != c.status {
			t.Errorf("README.md:%d: %s: exit status %d, want %d; it prints\n%s", c.line, c.text, status, c.status, got)
			continue
		}
		if c.text == testCommand || sameOutput(c.want, got) {
			continue
		}
		if *update {
			lines = append(lines[:c.from:c.from], append(strings.Split(string(layout([]byte(strings.TrimSpace(got)))), "\n"), lines[c.to:]...)...)
			continue
		}
		t.Errorf("README.md:%d: %s\nprints\n%s\nand not\n%s", c.line, c.text, got, c.want)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func mustBeInCI(t *testing.T, root string, commands []readmeCommand) {
	t.Helper()
	ci, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(ci), "\n"+testCommand+"\n") {
		t.Errorf(".ci/run does not run %q", testCommand)
	}
	for _, c := range commands {
		if c.text == testCommand {
			return
		}
	}
	t.Errorf("the README does not name %q", testCommand)
}

// marker ends the output of a command; the exit status follows it.
const marker = "\n\x1eexit status "

// script returns a shell script of the commands.
func script(commands []readmeCommand, addr string) string {
	var b strings.Builder
	for _, c := range commands {
		run := strings.ReplaceAll(c.text, readmeAddr, addr)
		if c.text == testCommand {
			run = "true"
		}
		fmt.Fprintf(&b, "%s\nprintf '\\n\\036exit status %%d\\n' \"$?\"\n", run)
	}
	return b.String()
}

// runShell runs a script in a copy of the repository and returns all that it prints.
func runShell(t *testing.T, root, addr, script string) string {
	t.Helper()
	dir := t.TempDir()
	copyRepository(t, root, dir)
	// Outside of the copy, where no command of the README sees them.
	scratch := t.TempDir()
	name := filepath.Join(scratch, "script.sh")
	if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(scratch, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()

	ctx, cancel := context.WithTimeout(t.Context(), 2*tooLong)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", name)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "EARSHOT_ADDR="+addr, "TMPDIR="+scratch)
	// A file and not a pipe: a server that stays behind would hold a pipe open.
	shell.Stdout, shell.Stderr = out, out
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	err = shell.Run()
	if ctx.Err() != nil {
		t.Error("the commands of the README do not end")
	}
	// What the commands left behind in their group ends with the test.
	_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
	output, readErr := os.ReadFile(out.Name())
	if readErr != nil {
		t.Fatal(readErr)
	}
	if err != nil {
		t.Fatalf("sh: %v\n%s", err, output)
	}
	return string(output)
}

// copyRepository copies what a clone would have: no build results and no data.
func copyRepository(t *testing.T, root, dir string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, name)
		switch {
		case name == ".git", name == "bin", name == "data":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case !entry.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
