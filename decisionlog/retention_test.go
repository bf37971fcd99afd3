package decisionlog_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// orderOf prunes what is older than the entry number n.
func orderOf(n int, holds ...decisionlog.Hold) decisionlog.Pruning {
	ids := 0
	return decisionlog.Pruning{
		Before: numbered(n, 0).At, Holds: holds, Now: start.Add(time.Hour),
		NewID: func() (string, error) {
			ids++
			return fmt.Sprintf("01931c5e-7d2a-7c1f-9a5a-%06d%06d", n, ids), nil
		},
	}
}

func prune(t testing.TB, l *decisionlog.Log, p decisionlog.Pruning) decisionlog.Pruned {
	t.Helper()
	done, err := l.Prune(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	const n = 3000
	for i := range n {
		e := numbered(i, 1)
		if i%100 == 7 {
			e.Request.Turn.Channel = "slack:HELD"
		}
		if i%100 == 8 {
			e.Request.Turn.Viewers = []string{"user:held"}
		}
		record(t, l, e)
	}
	holds := []decisionlog.Hold{
		{Channel: "slack:HELD", Viewer: "user:ann"},
		{Viewer: "user:held", To: numbered(1000, 0).At},
		{Item: "item-7", From: numbered(1, 0).At, To: numbered(2, 0).At},
		{Agent: "agent:nobody"},
	}
	if got := prune(t, l, decisionlog.Pruning{}); got != (decisionlog.Pruned{}) {
		t.Errorf("without an age: %+v", got)
	}
	// 25 in the channel, 10 with the viewer in time, one with the item.
	if diff := cmp.Diff(decisionlog.Pruned{Pruned: 2500 - 36, Held: 36}, prune(t, l, orderOf(2500, holds...))); diff != "" {
		t.Errorf("pruned (-want +got):\n%s", diff)
	}
	check := func() {
		t.Helper()
		for i, want := range map[int]bool{0: true, 1: false, 7: false, 8: false, 1007: false, 1008: true, 2499: true, 2500: false, 2999: false} {
			r := get(t, l, numbered(i, 0).ID)
			if r.Pruned != want {
				t.Errorf("decision %d: pruned %v, want %v", i, r.Pruned, want)
			}
		}
		if got := len(ids(t, l, decisionlog.Query{Viewer: "user:ann", To: numbered(2000, 0).At, Limit: 500})); got != 21 {
			t.Errorf("the index lists %d decisions that were kept, want 21", got)
		}
	}
	check()
	verified(t, l, n+3)
	if got := prune(t, l, orderOf(2500, holds...)); got != (decisionlog.Pruned{}) {
		t.Errorf("a second time: %+v", got)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, decisionlog.Config{Dir: dir})
	check()
	verified(t, l, n+3)
	// The hold on the channel is lifted.
	if diff := cmp.Diff(decisionlog.Pruned{Pruned: 25, Held: 11}, prune(t, l, orderOf(2500, holds[1:]...))); diff != "" {
		t.Errorf("after a hold was lifted (-want +got):\n%s", diff)
	}
}

func TestPruneKeepsWhatFollowsAnEarlierClock(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for _, i := range []int{0, 1, 50, 2, 3} {
		record(t, l, numbered(i, 1))
	}
	if diff := cmp.Diff(decisionlog.Pruned{Pruned: 2}, prune(t, l, orderOf(10))); diff != "" {
		t.Errorf("pruned (-want +got):\n%s", diff)
	}
	if get(t, l, numbered(2, 0).ID).Pruned {
		t.Error("an entry behind a newer one is pruned")
	}
}
