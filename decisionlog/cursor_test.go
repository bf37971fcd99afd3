package decisionlog_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// A cursor goes on with the filters that it was given out for, and with no others.
func TestCursorIsBoundToEveryFilter(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	next := func(q decisionlog.Query) string {
		t.Helper()
		q.Limit = 1
		page, err := l.List(t.Context(), q)
		if err != nil || page.Next == "" {
			t.Fatalf("%+v has no second page: %+v, %v", q, page, err)
		}
		return page.Next
	}
	early, late := start.Add(-time.Hour), start.Add(time.Hour)
	bounded := decisionlog.Query{Viewer: "user:ann", From: early, To: late}
	berlin := time.FixedZone("", 3600)
	for name, test := range map[string]struct {
		of, with decisionlog.Query
		taken    bool
	}{
		"the same":               {bounded, bounded, true},
		"another limit":          {bounded, decisionlog.Query{Viewer: "user:ann", From: early, To: late, Limit: 2}, true},
		"the instants elsewhere": {bounded, decisionlog.Query{Viewer: "user:ann", From: early.In(berlin), To: late.In(berlin)}, true},
		"an item":                {decisionlog.Query{}, decisionlog.Query{Item: "m1"}, false},
		"a viewer":               {decisionlog.Query{}, decisionlog.Query{Viewer: "user:ann"}, false},
		"an agent":               {decisionlog.Query{}, decisionlog.Query{Agent: "agent:scribe"}, false},
		"a channel":              {decisionlog.Query{}, decisionlog.Query{Channel: "c"}, false},
		"a tenant":               {decisionlog.Query{}, decisionlog.Query{Tenant: "acme"}, false},
		"a verdict":              {decisionlog.Query{}, decisionlog.Query{Verdict: "ISOLATED_CONTEXT"}, false},
		"a reason":               {decisionlog.Query{}, decisionlog.Query{Reason: "public"}, false},
		"a revision":             {decisionlog.Query{}, decisionlog.Query{PolicyRevision: "sha256:1"}, false},
		"an outcome":             {decisionlog.Query{}, decisionlog.Query{Admit: new(false)}, false},
		"a beginning":            {decisionlog.Query{}, decisionlog.Query{From: early}, false},
		"an end":                 {decisionlog.Query{}, decisionlog.Query{To: late}, false},
		"a filter fewer":         {bounded, decisionlog.Query{From: early, To: late}, false},
		"a later beginning":      {bounded, decisionlog.Query{Viewer: "user:ann", From: early.Add(1), To: late}, false},
		"a later end":            {bounded, decisionlog.Query{Viewer: "user:ann", From: early, To: late.Add(1)}, false},
		"a value of another filter": {
			decisionlog.Query{Viewer: "user:ann"}, decisionlog.Query{Item: "user:ann"}, false,
		},
		"a value over two filters": {
			decisionlog.Query{Viewer: "user:ann"}, decisionlog.Query{Item: "user:", Viewer: "ann"}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.with.Cursor = next(test.of)
			_, err := l.List(t.Context(), test.with)
			if test.taken {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if refused, ok := errors.AsType[*decisionlog.QueryError](err); !ok || refused.Parameter != "cursor" {
				t.Errorf("got %v, want a refusal of the cursor", err)
			}
		})
	}
}

// A cursor is text that a caller may keep: a start of the service does not end it.
func TestCursorOutlivesTheProcess(t *testing.T) {
	c := decisionlog.Config{Dir: t.TempDir()}
	l, err := decisionlog.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		record(t, l, numbered(i, 1))
	}
	page, err := l.List(t.Context(), decisionlog.Query{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	page, err = open(t, c).List(t.Context(), decisionlog.Query{Cursor: page.Next})
	if err != nil || len(page.Summaries) != 1 || page.Summaries[0].ID != numbered(0, 1).ID {
		t.Errorf("got %+v, %v", page, err)
	}
}

func TestListAtItsLimits(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	var want []string
	for i := range decisionlog.DefaultLimit + 1 {
		e := numbered(i, 1)
		record(t, l, e)
		want = append([]string{e.ID}, want...)
	}
	list := func(q decisionlog.Query) (all []string, next string) {
		t.Helper()
		page, err := l.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page.Summaries {
			all = append(all, s.ID)
		}
		return all, page.Next
	}
	first, next := list(decisionlog.Query{})
	if diff := cmp.Diff(want[:50], first); diff != "" || next == "" {
		t.Errorf("a page without a limit, next %q (-want +got):\n%s", next, diff)
	}
	if rest, next := list(decisionlog.Query{Cursor: next}); !cmp.Equal(want[50:], rest) || next != "" {
		t.Errorf("the page after: %v, next %q", rest, next)
	}
	if all, next := list(decisionlog.Query{Limit: 1000}); !cmp.Equal(want, all) || next != "" {
		t.Errorf("the largest page has %d, next %q", len(all), next)
	}
	if all, next := list(decisionlog.Query{From: start, To: start}); len(all) != 0 || next != "" {
		t.Errorf("a range of no length has %d, next %q", len(all), next)
	}
	if all, _ := list(decisionlog.Query{To: start.Add(-24 * time.Hour)}); len(all) != 0 {
		t.Errorf("before all there are %d", len(all))
	}
}
