package decisionlog_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
)

// ids returns the ids of every decision that q selects, page by page.
func ids(t rapid.TB, l *decisionlog.Log, q decisionlog.Query) []string {
	t.Helper()
	var all []string
	for {
		page, err := l.List(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			all = append(all, r.ID)
		}
		if page.Next == "" {
			return all
		}
		if len(page.Records) != q.Limit && q.Limit != 0 {
			t.Fatalf("a page that is not the last has %d records, want %d", len(page.Records), q.Limit)
		}
		q.Cursor = page.Next
	}
}

// matches is what a query means, in the plainest words.
func matches(e *policy.Entry, q decisionlog.Query) bool {
	turn := &e.Request.Turn
	is := func(want, got string) bool { return want == "" || want == got }
	anyResult := func(ok func(policy.Result) bool) bool { return slices.ContainsFunc(e.Results, ok) }
	hasItem := func(ok func(policy.Result) bool) bool {
		for i, c := range e.Request.Candidates {
			if c.ID == q.Item && ok(e.Results[i]) {
				return true
			}
		}
		return false
	}
	asAsked := func(r policy.Result) bool { return q.Admit == nil || r.Admit == *q.Admit }
	return is(q.Agent, turn.Agent) && is(q.Channel, turn.Channel) && is(q.Tenant, turn.Tenant) &&
		is(q.Verdict, string(e.Verdict)) && is(q.PolicyRevision, e.PolicyRevision) &&
		(q.Viewer == "" || slices.Contains(turn.Viewers, q.Viewer)) &&
		(q.Item == "" || hasItem(asAsked)) &&
		(q.Item != "" || q.Admit == nil || anyResult(asAsked)) &&
		(q.Reason == "" || anyResult(func(r policy.Result) bool { return slices.Contains(r.Reasons, q.Reason) })) &&
		(q.From.IsZero() || !e.At.Before(q.From)) && (q.To.IsZero() || e.At.Before(q.To))
}

func query() *rapid.Generator[decisionlog.Query] {
	return rapid.Custom(func(t *rapid.T) decisionlog.Query {
		// Most filters are open, or else nothing would ever match.
		seldom := func(label string, g *rapid.Generator[string]) string {
			if rapid.IntRange(0, 3).Draw(t, "with "+label) > 0 {
				return ""
			}
			return g.Draw(t, label)
		}
		when := func(label string) time.Time {
			if rapid.Bool().Draw(t, "without "+label) {
				return time.Time{}
			}
			return start.Add(time.Duration(rapid.IntRange(-3_100_000, 3_100_000).Draw(t, label)))
		}
		q := decisionlog.Query{
			Item: seldom("item", name()), Viewer: seldom("viewer", name()), Agent: seldom("agent", name()),
			Channel: seldom("channel", name()), Tenant: seldom("tenant", name()),
			Verdict:        seldom("verdict", rapid.SampledFrom([]string{"ISOLATED_CONTEXT", "BLEED_DETECTED", "NONE"})),
			Reason:         seldom("reason", code()),
			PolicyRevision: seldom("revision", rapid.SampledFrom([]string{"sha256:1", "sha256:3"})),
			From:           when("from"), To: when("to"),
			Limit: rapid.IntRange(1, 4).Draw(t, "limit"),
		}
		if rapid.IntRange(0, 2).Draw(t, "with admit") == 0 {
			q.Admit = new(rapid.Bool().Draw(t, "admit"))
		}
		if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
			q.From, q.To = q.To, q.From
		}
		return q
	})
}

func TestListSelectsWhatAPlainReadingSelects(t *testing.T) {
	dir := t.TempDir()
	folders := 0
	rapid.Check(t, func(rt *rapid.T) {
		folders++
		l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: filepath.Join(dir, fmt.Sprint(folders))})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() {
			if err := l.Close(); err != nil {
				rt.Error(err)
			}
		}()
		var all []*policy.Entry
		for i := range rapid.IntRange(0, 12).Draw(rt, "entries") {
			e := entry(fmt.Sprintf("d-%d", i)).Draw(rt, "entry")
			if _, err := l.Record(t.Context(), e); err != nil {
				rt.Fatal(err)
			}
			all = append(all, e)
		}
		for range 5 {
			q := query().Draw(rt, "query")
			var want []string
			for _, e := range slices.Backward(all) {
				if matches(e, q) {
					want = append(want, e.ID)
				}
			}
			if diff := cmp.Diff(want, ids(rt, l, q)); diff != "" {
				rt.Fatalf("%+v (-plain +listed):\n%s", q, diff)
			}
			if rapid.IntRange(0, 9).Draw(rt, "reindex") == 0 {
				if err := l.Reindex(t.Context()); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

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

func TestListPagesStandStillWhileEntriesCome(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	var want, got []string
	for i := range 10 {
		e := numbered(i, 1)
		record(t, l, e)
		want = append([]string{e.ID}, want...)
	}
	q := decisionlog.Query{Viewer: "user:ann", Limit: 3}
	for i := 100; ; i++ {
		page, err := l.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			got = append(got, r.ID)
		}
		if page.Next == "" {
			break
		}
		record(t, l, numbered(i, 1))
		q.Cursor = page.Next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListSeesEveryAnsweredDecision(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 20 {
		e := numbered(i, 1)
		record(t, l, e)
		page, err := l.List(t.Context(), decisionlog.Query{Agent: "agent:scribe", Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Records) != 1 || page.Records[0].ID != e.ID {
			t.Errorf("the newest is %v, want %s", page.Records, e.ID)
		}
	}
}

func TestListRefusesWhatMakesNoSense(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	elsewhere := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
		record(t, elsewhere, numbered(i, 1))
	}
	cursor := func(l *decisionlog.Log) string {
		page, err := l.List(t.Context(), decisionlog.Query{Viewer: "user:ann", Limit: 1})
		if err != nil || page.Next == "" {
			t.Fatal(page, err)
		}
		return page.Next
	}
	good := cursor(l)
	flipped := "A" + good[1:]
	if good[0] == 'A' {
		flipped = "B" + good[1:]
	}
	cases := map[string]struct {
		q         decisionlog.Query
		parameter string
	}{
		"limit below zero":          {decisionlog.Query{Limit: -1}, "limit"},
		"limit too high":            {decisionlog.Query{Limit: decisionlog.MaxLimit + 1}, "limit"},
		"inverted range":            {decisionlog.Query{From: start, To: start.Add(-1)}, "to"},
		"no cursor at all":          {decisionlog.Query{Cursor: "next please", Viewer: "user:ann"}, "cursor"},
		"changed cursor":            {decisionlog.Query{Cursor: flipped, Viewer: "user:ann"}, "cursor"},
		"cursor of other filters":   {decisionlog.Query{Cursor: good, Viewer: "user:ben"}, "cursor"},
		"cursor of another ledger":  {decisionlog.Query{Cursor: cursor(elsewhere), Viewer: "user:ann"}, "cursor"},
		"cursor with something on":  {decisionlog.Query{Cursor: good + "AAAA", Viewer: "user:ann"}, "cursor"},
		"cursor with a filter more": {decisionlog.Query{Cursor: good, Viewer: "user:ann", Admit: new(true)}, "cursor"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := l.List(t.Context(), c.q)
			got, ok := errors.AsType[*decisionlog.QueryError](err)
			if !ok || !errors.Is(err, decisionlog.ErrInvalidQuery) || got.Parameter != c.parameter {
				t.Errorf("got %v, want a %v about %s", err, decisionlog.ErrInvalidQuery, c.parameter)
			}
		})
	}
	if _, err := l.List(t.Context(), decisionlog.Query{Viewer: "user:ann", Cursor: good, Limit: 7}); err != nil {
		t.Errorf("another limit: %v", err)
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
	l := open(t, decisionlog.Config{Dir: dir, IndexLag: 64})
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
	exec(t, other, `DELETE FROM posting WHERE seq % 3 = 0; DELETE FROM span WHERE level = 1; INSERT INTO posting VALUES (4, 1, 5)`)
	if err := l.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, read()); diff != "" {
		t.Error("the index is not what it was before")
	}
}

func TestAMissingRowStopsTheIndex(t *testing.T) {
	for name, seq := range map[string]int{"in the middle": 1, "at the end": 2} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range 3 {
				record(t, l, numbered(i, 1))
			}
			exec(t, alongside(t, dir), fmt.Sprintf(`DROP TRIGGER entry_stays; DELETE FROM entry WHERE seq = %d`, seq))
			if page, err := l.List(t.Context(), decisionlog.Query{}); !errors.Is(err, decisionlog.ErrDamaged) {
				t.Errorf("got %v, %v, want %v", page, err, decisionlog.ErrDamaged)
			}
		})
	}
}
