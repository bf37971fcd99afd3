package decisionlog_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

func TestBundlesStay(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	if _, err := l.Bundle(t.Context(), "sha256:1"); !errors.Is(err, decisionlog.ErrNotFound) {
		t.Errorf("a policy that never decided: %v", err)
	}
	for _, archive := range []string{"first", "second"} {
		if err := l.KeepBundle(t.Context(), "sha256:1", []byte(archive)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := l.Bundle(t.Context(), "sha256:1"); err != nil || string(got) != "first" {
		t.Errorf("%q, %v", got, err)
	}
	verified(t, l, 0)
}

// The range is that of the clocks, a proof is that of Proof, and memory does not grow with the entries.
func TestEachProved(t *testing.T) {
	const entries = 2000
	l, verifier, err := openNotarized(t, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range entries {
		record(t, l, numbered(i, 2))
	}
	newCheckpoint(t, l, verifier)
	from, to := start.Add(time.Millisecond), start.Add((entries-1)*time.Millisecond)
	next, began, most := uint64(1), uint64(0), uint64(0)
	err = l.EachProved(t.Context(), entries, from, to, func(e *decisionlog.ProvedEntry) error {
		if e.Index != next || e.Receipt || e.Payload == nil || e.PolicyRevision != numbered(0, 0).PolicyRevision {
			return fmt.Errorf("entry %d, want %d: %+v", e.Index, next, e)
		}
		if next++; next%500 == 0 {
			want, err := l.Proof(t.Context(), e.Index, entries)
			if diff := cmp.Diff(string(want), string(e.Proof)); err != nil || diff != "" {
				return fmt.Errorf("%w: %s", err, diff)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			if began == 0 {
				began = m.HeapAlloc
			}
			most = max(most, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || next != entries-1 {
		t.Fatalf("up to %d, %v", next, err)
	}
	if most > began+(2<<20) {
		t.Errorf("the heap grew from %d to %d bytes", began, most)
	}
}

func TestEachCheckpoint(t *testing.T) {
	l, verifier, err := openNotarized(t, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range 3 {
		record(t, l, numbered(i, 1))
		newCheckpoint(t, l, verifier)
	}
	var sizes []uint64
	err = l.EachCheckpoint(t.Context(), 1, func(c *decisionlog.ProvedCheckpoint) error {
		sizes = append(sizes, c.Size)
		stated, err := decisionlog.CheckpointSize(c.Note)
		if err != nil || stated != c.Size {
			t.Errorf("the note states %d, %v, want %d", stated, err, c.Size)
		}
		if first := len(sizes) == 1; first != (len(c.Consistency) == 0) {
			t.Errorf("the proof of size %d is %v", c.Size, c.Consistency)
		}
		return nil
	})
	if diff := cmp.Diff([]uint64{2, 3}, sizes); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}
