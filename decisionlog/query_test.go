package decisionlog_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
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
		for _, r := range page.Summaries {
			all = append(all, r.ID)
		}
		if page.Next == "" {
			return all
		}
		if len(page.Summaries) != q.Limit && q.Limit != 0 {
			t.Fatalf("a page that is not the last has %d records, want %d", len(page.Summaries), q.Limit)
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
	forReason := func(r policy.Result) bool { return slices.Contains(r.Reasons, q.Reason) }
	asAsked := func(r policy.Result) bool { return q.Admit == nil || r.Admit == *q.Admit }
	return is(q.Agent, turn.Agent) && is(q.Channel, turn.Channel) && is(q.Tenant, turn.Tenant) &&
		is(q.Verdict, string(e.Verdict)) && is(q.PolicyRevision, e.PolicyRevision) &&
		(q.Viewer == "" || slices.Contains(turn.Viewers, q.Viewer)) &&
		(q.Item == "" || hasItem(asAsked)) &&
		(q.Item != "" || q.Admit == nil || anyResult(asAsked)) &&
		(q.Reason == "" || slices.Contains(e.Viewers.Reasons, q.Reason) ||
			q.Item == "" && anyResult(forReason) ||
			q.Item != "" && hasItem(func(r policy.Result) bool { return asAsked(r) && forReason(r) })) &&
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
		c := decisionlog.Config{Dir: filepath.Join(dir, fmt.Sprint(folders))}
		l, err := decisionlog.Open(t.Context(), c)
		if err != nil {
			rt.Fatal(err)
		}
		shut := func() {
			if err := l.Close(); err != nil {
				rt.Error(err)
			}
		}
		defer func() { shut() }()
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
			if rapid.IntRange(0, 9).Draw(rt, "forget the index") == 0 {
				shut()
				forgetIndex(t, c.Dir)
				if l, err = decisionlog.Open(t.Context(), c); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}
