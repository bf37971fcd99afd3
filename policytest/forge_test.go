package policytest_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forgeDir holds one small program a folder that tries to get an admission without a decision. The
// lines that must not compile end in a comment with the compiler's reason.
const forgeDir = "testdata/forge"

// controlProgram is the one program there that does compile.
const controlProgram = "control"

// TestForgedAdmissionsDoNotCompile builds every program and compares all that the compiler says with
// the reason the program expects.
func TestForgedAdmissionsDoNotCompile(t *testing.T) {
	programs, err := filepath.Glob(filepath.Join(forgeDir, "*", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	const least = 9
	if len(programs) < least {
		t.Fatalf("%s has %d programs, want at least %d", forgeDir, len(programs), least)
	}
	for _, program := range programs {
		name := filepath.Base(filepath.Dir(program))
		t.Run(name, func(t *testing.T) {
			want := wantedError(t, program)
			if (want == "") != (name == controlProgram) {
				t.Fatalf("%s: only the control program has no expected error", program)
			}
			if diff := cmp.Diff(want, build(t, filepath.Dir(program))); diff != "" {
				t.Errorf("the compiler does not say what %s expects (-want +got):\n%s", program, diff)
			}
		})
	}
}

// wantedError returns the line number and the reason that a program expects, as line: reason.
func wantedError(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var wanted []string
	for i, line := range strings.Split(string(text), "\n") {
		if _, reason, ok := strings.Cut(line, "// want: "); ok {
			wanted = append(wanted, fmt.Sprintf("%d: %s", i+1, reason))
		}
	}
	return strings.Join(wanted, "\n")
}

// build compiles the package in dir and returns the compiler's errors as line: reason; empty where
// there are none.
func build(t *testing.T, dir string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", os.DevNull, "./"+filepath.ToSlash(dir))
	out, err := command.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	var reasons []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") {
			continue // The compiler names the package first.
		}
		_, position, ok := strings.Cut(line, "main.go:")
		row, rest, ok2 := strings.Cut(position, ":")
		_, reason, ok3 := strings.Cut(rest, ": ")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("go build says something else: %s", out)
		}
		reasons = append(reasons, row+": "+reason)
	}
	if (err == nil) != (len(reasons) == 0) {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return strings.Join(reasons, "\n")
}
