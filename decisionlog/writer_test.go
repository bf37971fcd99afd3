package decisionlog_test

import (
	"errors"
	"sync"
	"testing"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestRecordFromManyCallers(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, IndexLag: 100, Cache: 50})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	want := make(map[uint64]*policy.Entry)
	var all sync.WaitGroup
	for caller := range 32 {
		all.Go(func() {
			for i := range 20 {
				e := numbered(caller*1000+i, 1+i%3)
				position, err := l.Record(t.Context(), e)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				want[position.Index] = e
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkAll(t, open(t, decisionlog.Config{Dir: dir}), want)
}

func TestRecordRefusesWhatTheQueueCannotHold(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir(), Queue: 2})
	release := l.HoldWriter()
	var all sync.WaitGroup
	errs := make(chan error, 3)
	for i := range 3 {
		all.Go(func() {
			_, err := l.Record(t.Context(), numbered(i, 1))
			errs <- err
		})
	}
	if err := <-errs; !errors.Is(err, decisionlog.ErrOverloaded) {
		t.Errorf("got %v, want %v", err, decisionlog.ErrOverloaded)
	}
	release()
	all.Wait()
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestCloseCommitsWhatWasAccepted(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, Batch: 3})
	if err != nil {
		t.Fatal(err)
	}
	release := l.HoldWriter()
	const n = 10
	errs := make(chan error, n)
	for i := range n {
		go func() {
			_, err := l.Record(t.Context(), numbered(i, 1))
			errs <- err
		}()
	}
	waitFor(t, func() bool { return l.Waiting() == n })
	closed := make(chan error)
	go func() { closed <- l.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}

	if _, err := l.Record(t.Context(), numbered(n, 1)); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("record: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if _, err := l.Get(t.Context(), "x"); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("get: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if err := l.Ready(t.Context()); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("ready: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if err := l.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
	if got := open(t, decisionlog.Config{Dir: dir}).Committed(); got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}

func TestAPanicLeavesNobodyWaiting(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	release := l.HoldWriter()
	broken := make(chan error)
	go func() { broken <- l.RecordBroken() }()
	waitFor(t, func() bool { return l.Waiting() == 1 })
	type answer struct {
		position policy.Position
		err      error
	}
	neighbour := make(chan answer)
	go func() {
		position, err := l.Record(t.Context(), numbered(1, 2))
		neighbour <- answer{position, err}
	}()
	waitFor(t, func() bool { return l.Waiting() == 2 })
	release()

	if err := <-broken; !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("broken entry: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
	a := <-neighbour
	if a.err != nil {
		t.Errorf("its neighbour in the batch: %v", a.err)
	}
	if err := l.PanicInTask(t.Context()); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("task: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
	e := numbered(2, 2)
	checkAll(t, l, map[uint64]*policy.Entry{a.position.Index: numbered(1, 2), record(t, l, e).Index: e})
}
