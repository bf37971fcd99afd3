package decisionlog_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// each returns the indexes that a query selects, in the order that Each gives them.
func each(t testing.TB, l *decisionlog.Log, q decisionlog.Query) []uint64 {
	t.Helper()
	var indexes []uint64
	err := l.Each(t.Context(), q, func(r *decisionlog.Record) error {
		indexes = append(indexes, r.Log.Index)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return indexes
}

// Each and List select the same, in opposite orders.
func TestEachSelectsAsList(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for _, e := range histories() {
		record(t, l, e)
	}
	// An entry that is no decision must not be among them.
	question := decisionlog.Access{
		ID: "01931c5e-7d2a-7c1f-9a57-0000000000ff", At: start, Door: decisionlog.DoorHTTP, Kind: decisionlog.AccessExport,
		Results: decisionlog.ResultsUnknown,
	}
	if _, err := l.RecordAccess(t.Context(), &question); err != nil {
		t.Fatal(err)
	}
	record(t, l, numbered(8, 3))
	for _, q := range []decisionlog.Query{
		{}, {Item: "x"}, {Item: "x", Admit: new(true)}, {Item: "x", Reason: "revoked"}, {Reason: "expired"}, {Admit: new(false)},
		{Viewer: "user:ann"}, {Viewer: "user:stranger"}, {Agent: "agent:scribe", Channel: "slack:C042", Tenant: "acme"},
		{From: start.Add(2 * time.Millisecond), To: start.Add(5 * time.Millisecond)}, {Verdict: string(policy.BleedDetected)},
	} {
		page, err := l.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var want []uint64
		for _, s := range slices.Backward(page.Summaries) {
			want = append(want, s.Log.Index)
		}
		if diff := cmp.Diff(want, each(t, l, q)); diff != "" {
			t.Errorf("%+v (-listed +given):\n%s", q, diff)
		}
	}
	if n := len(each(t, l, decisionlog.Query{})); n != 8 {
		t.Errorf("%d decisions, want 8", n)
	}
}

func TestEachGivesTheRecordWhole(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, numbered(0, 5))
	want := get(t, l, numbered(0, 5).ID)
	err := l.Each(t.Context(), decisionlog.Query{}, func(r *decisionlog.Record) error {
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("(-got by id +given):\n%s", diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEachRefusesABadQuery(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for parameter, q := range map[string]decisionlog.Query{
		"limit":  {Limit: 1},
		"cursor": {Cursor: "x"},
		"to":     {From: start, To: start.Add(-time.Second)},
	} {
		err := l.Each(t.Context(), q, func(*decisionlog.Record) error { return nil })
		wrong, ok := errors.AsType[*decisionlog.QueryError](err)
		if !ok || wrong.Parameter != parameter {
			t.Errorf("%s: %v", parameter, err)
		}
	}
}

func TestEachEndsWithTheFirstError(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	enough, calls := errors.New("enough"), 0
	err := l.Each(t.Context(), decisionlog.Query{}, func(*decisionlog.Record) error {
		calls++
		return enough
	})
	if err != enough || calls != 1 { // as it is
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = l.Each(ctx, decisionlog.Query{}, func(*decisionlog.Record) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// What is before a damaged decision is given, and the error names its index.
func TestEachStopsAtDamage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 4 {
		record(t, l, numbered(i, 1))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	tamper(t, dir, `UPDATE entry SET payload = x'00' WHERE seq = 1`)
	l = open(t, decisionlog.Config{Dir: dir})
	var given []uint64
	err := l.Each(t.Context(), decisionlog.Query{}, func(r *decisionlog.Record) error {
		given = append(given, r.Log.Index)
		return nil
	})
	if !errors.Is(err, decisionlog.ErrDamaged) || !strings.Contains(err.Error(), "ledger row 1") {
		t.Errorf("error %v", err)
	}
	if len(given) > 1 {
		t.Errorf("given %v, past the damage", given)
	}
}

// Entries that are recorded while a caller takes its time are not waited for.
func TestEachEndsWhereTheLogEndedBefore(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, numbered(0, 1))
	given := 0
	err := l.Each(t.Context(), decisionlog.Query{}, func(*decisionlog.Record) error {
		given++
		record(t, l, numbered(given, 1))
		return nil
	})
	if err != nil || given != 1 {
		t.Errorf("%d decisions, %v", given, err)
	}
}

// Windows of any size give the same.
func TestEachByWindows(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 7 {
		record(t, l, numbered(i, 1))
	}
	want := each(t, l, decisionlog.Query{})
	for window := uint64(1); window < 9; window++ {
		var got []uint64
		err := l.EachByWindow(t.Context(), decisionlog.Query{}, window, func(r *decisionlog.Record) error {
			got = append(got, r.Log.Index)
			return nil
		})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("by %d: %v (-want +got):\n%s", window, err, diff)
		}
	}
}

// Who is erased in the middle cannot be searched for any more: the rest must not look like nothing.
func TestEachEndsWhereItsNameIsErased(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	given := 0
	err := l.EachByWindow(t.Context(), decisionlog.Query{Viewer: "user:ann"}, 1, func(*decisionlog.Record) error {
		given++
		_, _, err := l.Erase(t.Context(), erasureOf("user:ann", 1))
		return err
	})
	wrong, ok := errors.AsType[*decisionlog.QueryError](err)
	if !ok || wrong.Parameter != "viewer" || given != 1 {
		t.Errorf("%d decisions, %v", given, err)
	}
}

// The walk crosses windows and holds no more of many decisions than of few.
func TestEachTakesConstantMemory(t *testing.T) {
	const rows = 20_000
	l := open(t, decisionlog.Config{Dir: t.TempDir(), CacheBytes: 1 << 20})
	for i := range 8 {
		record(t, l, numbered(i, 10))
	}
	ids(t, l, decisionlog.Query{}) // has the index filled
	if err := l.Multiply(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	next, most := uint64(0), uint64(0)
	var began uint64
	err := l.Each(t.Context(), decisionlog.Query{Viewer: "user:ann"}, func(r *decisionlog.Record) error {
		if r.Log.Index != next || len(r.Results) != 10 {
			return fmt.Errorf("index %d with %d results, want %d", r.Log.Index, len(r.Results), next)
		}
		next++
		if next%2000 == 0 {
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
	if err != nil || next != rows {
		t.Fatalf("%d decisions, %v", next, err)
	}
	if most > began+(4<<20) {
		t.Errorf("the heap grew from %d to %d bytes", began, most)
	}
}
