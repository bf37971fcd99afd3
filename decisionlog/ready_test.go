package decisionlog_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"earshot/decisionlog"
)

func TestReadyWaitsNoLongerThanItsContext(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	release := l.HoldWriter()
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := l.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
}

// clock stands still until it is advanced.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: start} }

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// changes returns how many rows the writer has inserted, changed and deleted.
func changes(t *testing.T, l *decisionlog.Log) int {
	t.Helper()
	n, err := l.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// probeChanges is what a probe inserts and deletes.
const probeChanges = 2

func TestReadyWritesSeldom(t *testing.T) {
	now := newClock()
	l := open(t, decisionlog.Config{Dir: t.TempDir(), Clock: now.read})
	for _, step := range []struct {
		name   string
		do     func()
		writes bool
	}{
		{"at first", func() {}, true},
		{"at once again", func() {}, false},
		{"a moment later", func() { now.advance(1999 * time.Millisecond) }, false},
		{"after two seconds", func() { now.advance(time.Millisecond) }, true},
		{"two seconds later, after a decision", func() {
			now.advance(2 * time.Second)
			record(t, l, numbered(0, 1))
			ids(t, l, decisionlog.Query{}) // has the index filled, which is a write of its own
		}, false},
		{"two seconds after that", func() { now.advance(2 * time.Second) }, true},
		{"with a clock that was set back", func() { now.advance(-time.Hour) }, true},
	} {
		step.do()
		before := changes(t, l)
		if err := l.Ready(t.Context()); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		want := 0
		if step.writes {
			want = probeChanges
		}
		if got := changes(t, l) - before; got != want {
			t.Errorf("%s: %d rows were written, want %d", step.name, got, want)
		}
	}
	var left int
	if err := l.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM probe`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left of the probes, %v", left, err)
	}
}

// TestReadySharesOneProbe has callers who do not wait, while the writer is held and no probe can end.
func TestReadySharesOneProbe(t *testing.T) {
	now := newClock()
	l := open(t, decisionlog.Config{Dir: t.TempDir(), Clock: now.read})
	before := changes(t, l)
	release := l.HoldWriter()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		if err := l.Ready(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	}
	release()
	if err := l.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if got := changes(t, l) - before; got != probeChanges {
		t.Errorf("%d rows were written, want %d: those of one probe", got, probeChanges)
	}
}
