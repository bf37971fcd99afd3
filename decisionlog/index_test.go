package decisionlog_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// TestListByTimeAcrossBlocks has more decisions than one block of the time index, from a clock that
// stands, goes back and jumps.
func TestListByTimeAcrossBlocks(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	const n = 1100
	at := func(i int) time.Time {
		switch {
		case i == 300:
			return start.AddDate(70, 0, 0)
		case i%10 == 9:
			return start.Add(time.Duration(i-700) * time.Second)
		default:
			return start.Add(time.Duration(i/2) * time.Second)
		}
	}
	var all sync.WaitGroup
	positions := make([]uint64, n)
	for i := range n {
		all.Go(func() {
			e := numbered(i, 0)
			e.At = at(i)
			position, err := l.Record(t.Context(), e)
			if err != nil {
				t.Error(err)
			}
			positions[i] = position.Index
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	bySeq := make([]int, n)
	for i, seq := range positions {
		bySeq[seq] = i
	}
	for _, q := range []decisionlog.Query{
		{},
		{From: start.Add(500 * time.Second)},
		{To: start.Add(-600 * time.Second)},
		{To: start},
		{From: start.AddDate(69, 0, 0)},
		{From: start.Add(100 * time.Second), To: start.Add(101 * time.Second)},
		{From: start.Add(100 * time.Second), To: start.Add(100 * time.Second)},
		{From: start.AddDate(80, 0, 0)},
	} {
		var want []string
		for _, i := range slices.Backward(bySeq) {
			e := numbered(i, 0)
			e.At = at(i)
			if matches(e, q) {
				want = append(want, e.ID)
			}
		}
		q.Limit = decisionlog.MaxLimit
		if diff := cmp.Diff(want, ids(t, l, q)); diff != "" {
			t.Errorf("from %v to %v (-plain +listed):\n%s", q.From, q.To, diff)
		}
	}
}

// TestLookupsUseAnIndex keeps List and Get from reading more as the log grows.
func TestLookupsUseAnIndex(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for statement, args := range decisionlog.Lookups() {
		rows, err := l.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, args...)
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			steps++
			if !strings.HasPrefix(step, "SEARCH ") || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s\nhas the step %q", statement, step)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if steps == 0 {
			t.Errorf("%s\nhas no plan", statement)
		}
	}
}

func TestIndexIsBuiltAgain(t *testing.T) {
	dir := t.TempDir()
	c := decisionlog.Config{Dir: dir, IndexLag: 64}
	l := open(t, c)
	for i := range 700 {
		record(t, l, numbered(i, 2))
	}
	if got, most := l.Indexed(), uint64(700); got > most || most-got > 64+1 {
		t.Errorf("the index has %d of %d decisions, want at most 64 fewer", got, most)
	}
	other := alongside(t, dir)
	read := func() (tables []string) {
		ids(t, l, decisionlog.Query{Limit: decisionlog.MaxLimit}) // catches up
		for _, statement := range []string{
			`SELECT group_concat(kind || ',' || key || ',' || seq, ';') FROM (SELECT * FROM posting ORDER BY kind, key, seq)`,
			`SELECT group_concat(level || ',' || block || ',' || earliest || ',' || latest, ';') FROM (SELECT * FROM span ORDER BY level, block)`,
			`SELECT entries FROM progress`,
		} {
			var table string
			if err := other.QueryRowContext(t.Context(), statement).Scan(&table); err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
		}
		return tables
	}
	before := read()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, c)
	if diff := cmp.Diff(before, read()); diff != "" {
		t.Error("the index is not what it was before")
	}
}
