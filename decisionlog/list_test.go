package decisionlog_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

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
		for _, r := range page.Summaries {
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
		if len(page.Summaries) != 1 || page.Summaries[0].ID != e.ID {
			t.Errorf("the newest is %v, want %s", page.Summaries, e.ID)
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
