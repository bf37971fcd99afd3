package main

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary stands in for the programs that the tests run: called by the name pdp it is pdp.
func TestMain(m *testing.M) {
	testscript.Main(m, programs())
}

func programs() map[string]func() {
	programs := map[string]func(){"pdp": main}
	// A machine without curl runs every transcript too.
	if _, err := exec.LookPath("curl"); err != nil || filepath.Base(os.Args[0]) == "curl" {
		programs["curl"] = curl
	}
	return programs
}

// TestScripts runs the transcripts: each is a use of the command, good or bad, with its output.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			bundle, err := filepath.Abs(filepath.Join("..", "..", "policy", "bundle"))
			if err != nil {
				return err
			}
			env.Setenv("BUNDLE", bundle)
			env.Setenv("ADDR", freeAddr(t))
			env.Setenv("COLUMNS", "100")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"sqlite": sqlite,
		},
	})
}

// status runs a program and compares its exit status: status 2 pdp serve --bogus.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status code program [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// freeAddr returns a loopback address that was free a moment ago.
func freeAddr(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
