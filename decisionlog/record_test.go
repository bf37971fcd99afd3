package decisionlog_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestRecordReadsBackEqual(t *testing.T) {
	dir := t.TempDir()
	folders := 0
	rapid.Check(t, func(rt *rapid.T) {
		folders++
		c := decisionlog.Config{Dir: filepath.Join(dir, fmt.Sprint(folders)), Cache: rapid.SampledFrom([]int{1, 8, 1000}).Draw(rt, "cache")}
		l, err := decisionlog.Open(t.Context(), c)
		if err != nil {
			rt.Fatal(err)
		}
		var want []*decisionlog.Record
		for i := range rapid.IntRange(1, 4).Draw(rt, "entries") {
			e := entry(fmt.Sprintf("d-%d", i)).Draw(rt, "entry")
			position, err := l.Record(t.Context(), e)
			if err != nil {
				rt.Fatal(err)
			}
			want = append(want, &decisionlog.Record{Entry: *e, Log: position})
		}
		if err := l.Close(); err != nil {
			rt.Fatal(err)
		}

		if l, err = decisionlog.Open(t.Context(), c); err != nil {
			rt.Fatal(err)
		}
		for _, w := range want {
			got, err := l.Get(t.Context(), w.ID)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(w, got); diff != "" {
				rt.Fatalf("read back (-recorded +read):\n%s", diff)
			}
		}
		n, err := l.Verify(t.Context(), nil)
		if err := errors.Join(err, l.Close()); err != nil || n != uint64(len(want)) {
			rt.Fatalf("verify: %d entries, %v, want %d", n, err, len(want))
		}
	})
}

func TestRecordRefusesWhatTheLedgerCannotKeep(t *testing.T) {
	cases := map[string]func(*policy.Entry){
		"no id":                 func(e *policy.Entry) { e.ID = "" },
		"id with a quote":       func(e *policy.Entry) { e.ID = `a"b` },
		"long id":               func(e *policy.Entry) { e.ID = fmt.Sprintf("%0257d", 1) },
		"revision with a space": func(e *policy.Entry) { e.PolicyRevision = "sha256: 1" },
		"clock in nanoseconds":  func(e *policy.Entry) { e.At = e.At.Add(1) },
		"clock in year 10000":   func(e *policy.Entry) { e.At = e.At.AddDate(8000, 0, 0) },
		"fewer results":         func(e *policy.Entry) { e.Results = e.Results[:1] },
	}
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			e := numbered(1, 2)
			spoil(e)
			position, err := l.Record(t.Context(), e)
			if !errors.Is(err, decisionlog.ErrUnencodable) || position != (policy.Position{}) {
				t.Errorf("got %v, %v, want %v", position, err, decisionlog.ErrUnencodable)
			}
		})
	}
	if got := record(t, l, numbered(1, 2)).Index; got != 0 {
		t.Errorf("a refused entry took a row: the next one has index %d", got)
	}
}

func TestRecordDoesNotKeepTheEntry(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	release := l.HoldWriter()
	e, want := numbered(1, 3), numbered(1, 3)
	e.Request.Turn.Attributes = []byte(`{"a":1}`)
	want.Request.Turn.Attributes = []byte(`{"a":1}`)

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := l.Record(ctx, e)
		done <- err
	}()
	waitFor(t, func() bool { return l.Waiting() == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	copy(e.Request.Turn.Attributes, `XXXXXXX`)
	e.Request.Turn.Viewers[0] = "user:eve"
	release()
	record(t, l, numbered(2, 1)) // stands behind the other in the queue

	if diff := cmp.Diff(*want, get(t, l, want.ID).Entry); diff != "" {
		t.Errorf("read back (-recorded +read):\n%s", diff)
	}
}

func TestRecordAfterTheEndOfItsContextRecordsNothing(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Record(ctx, numbered(1, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if got := l.Committed(); got != 0 {
		t.Errorf("%d rows, want none", got)
	}
}

func TestGetOfAnUnknownID(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, numbered(0, 1))
	for _, id := range []string{"", "nobody", strings.ToUpper(numbered(0, 1).ID)} {
		if r, err := l.Get(t.Context(), id); !errors.Is(err, decisionlog.ErrNotFound) {
			t.Errorf("%q: got %v, %v, want %v", id, r, err, decisionlog.ErrNotFound)
		}
	}
}
