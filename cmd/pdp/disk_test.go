package main

import (
	"net/http"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// limitFiles sets how large a file the server may write, while it runs. It returns how to lift the
// limit again.
func (c *child) limitFiles(t *testing.T, size uint64) (lift func()) {
	t.Helper()
	var before unix.Rlimit
	pid := c.cmd.Process.Pid
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &before); err != nil {
		t.Fatal(err)
	}
	// The hard limit stays: an ordinary user could not raise it again.
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: before.Max}, nil); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &before, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// survives puts the log out of service while callers ask, and back into service. Answers are 200,
// and then in the log, or 503, and nothing else; there are some of each.
func survives(t *testing.T, breakLog func(*testing.T, *child, string) (mend func())) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	server := startServer(t, data)
	l := startLoad(server, 4)
	l.until(t, "the first answers", func(answered, _ int) bool { return answered >= 20 })

	mend := breakLog(t, server, data)
	l.until(t, "refusals", func(_, refused int) bool { return refused >= 4 })

	mend()
	l.mu.Lock()
	soFar := len(l.answered)
	l.mu.Unlock()
	l.until(t, "answers after the log came back", func(answered, _ int) bool { return answered >= soFar+20 })
	answered := l.stop()

	// The running server and the next one both find everything.
	server.mustHold(t, http.DefaultClient, answered)
	server.terminate(t)
	total := startServer(t, data).mustHold(t, http.DefaultClient, answered)
	t.Logf("%d answered, %d refused, %d in the log", len(answered), l.refused, total)
}

// TestDiskFull lets the files grow for a while before there is no more room.
func TestDiskFull(t *testing.T) {
	survives(t, func(t *testing.T, server *child, _ string) func() {
		return server.limitFiles(t, 512<<10)
	})
}

// TestNoByteIsWritten sets a file-size limit of nothing, so that every write fails, also one over
// bytes that are there already. A file system that turns read-only is not tried: it can not be made to
// while a file on it is open for writing, short of faults in the device below.
func TestNoByteIsWritten(t *testing.T) {
	survives(t, func(t *testing.T, server *child, _ string) func() {
		return server.limitFiles(t, 0)
	})
}

// TestLogLocked lets another program hold the write lock for longer than the log waits for it.
func TestLogLocked(t *testing.T) {
	survives(t, func(t *testing.T, _ *child, data string) func() {
		return lockDatabase(t, filepath.Join(data, "decisions.db"))
	})
}
