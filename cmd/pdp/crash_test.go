package main

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"syscall"
	"testing"

	"earshot/decisionlog"
)

// TestKillUnderLoad kills the server twenty times while it answers, always on the same data folder,
// and looks for every answer in the log of the next one.
func TestKillUnderLoad(t *testing.T) {
	const rounds, callers = 20, 8
	data := filepath.Join(t.TempDir(), "data")
	answered := map[string]bool{}

	server := startServer(t, data)
	for round := range rounds {
		// Another moment each time, counted in answers: a round without load cannot end.
		enough := 20 + rand.IntN(200)
		l := startLoad(server, callers)
		l.until(t, "answers", func(answered, _ int) bool { return answered >= enough })
		l.expectIt.Store(true)
		server.kill(t)
		got := l.stop()
		if l.refused > 0 {
			t.Errorf("round %d: %d answers said that the log is not available", round, l.refused)
		}
		if len(got) == 0 {
			t.Fatalf("round %d saw no load", round)
		}
		maps.Copy(answered, got)

		server = startServer(t, data)
		total := server.mustHold(t, http.DefaultClient, answered)
		if t.Failed() {
			t.Fatalf("round %d: %d answered in this round, %d in all, %d in the log", round, len(got), len(answered), total)
		}
		if round == rounds-1 {
			t.Logf("%d answered, %d in the log", len(answered), total)
		}
	}
	server.terminate(t)
	wholeLog(t, data)
}

// wholeLog fails the test unless the rows of a log, its tree and its checkpoints agree.
func wholeLog(t *testing.T, data string) {
	t.Helper()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	found, err := log.VerifyBy(t.Context(), decisionlog.VerifyConfig{})
	if err != nil || found.Entries == 0 || found.Checkpoints == 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}

// TestStopUnderLoad asks the server to stop while it answers, by each signal that means so: it ends
// in order, and what it answered is in the log.
func TestStopUnderLoad(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			server := startServer(t, data)
			l := startLoad(server, 8)
			l.until(t, "answers", func(answered, _ int) bool { return answered >= 100 })
			l.expectIt.Store(true) // It takes no new connection.
			server.stopBy(t, signal)
			answered := l.stop()
			if l.surprise != nil {
				t.Error(l.surprise)
			}
			startServer(t, data).mustHold(t, http.DefaultClient, answered)
		})
	}
}
