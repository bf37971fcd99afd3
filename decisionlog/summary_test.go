package decisionlog_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestListSummarizes(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	e := numbered(0, 5)
	e.Request.Turn.Attempt = 3
	e.Viewers = policy.Viewers{Reasons: []string{"evidence_stale"}, Present: []string{"user:ann"}, Digest: "sha256:feed"}
	e.Verdict = policy.BleedDetected
	first := record(t, l, e)
	second := record(t, l, numbered(1, 0))
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL WHERE seq = 1`)

	want := decisionlog.Page{Summaries: []decisionlog.Summary{
		{ID: numbered(1, 0).ID, At: numbered(1, 0).At, PolicyRevision: e.PolicyRevision, Log: second, Pruned: true},
		{
			ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision, Log: first, RequestedBy: "runtime",
			TurnID: "turn-0", Attempt: 3, Tenant: "acme", Channel: "slack:C042", Agent: "agent:scribe",
			Viewers: e.Viewers, Verdict: policy.BleedDetected, Admitted: 3, Denied: 2,
		},
	}}
	page, err := l.List(t.Context(), decisionlog.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestListCostsNoCandidates compares what it takes to list a decision of many candidates and to read it
// whole.
func TestListCostsNoCandidates(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	e := numbered(0, 0)
	for i := range 10_000 {
		id := fmt.Sprintf("item-of-its-own-%d", i)
		e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{ID: id, Audience: policy.Everybody(), Kind: policy.KindFact})
		e.Results = append(e.Results, policy.Result{ID: id, Admit: true, Reasons: []string{"public"}})
	}
	record(t, l, e)
	// The first call fills the index and the caches.
	if s := listed(t, l, decisionlog.Query{}); len(s) != 1 {
		t.Fatal(s)
	}
	get(t, l, e.ID)
	bytes := func(do func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	list := bytes(func() { listed(t, l, decisionlog.Query{}) })
	whole := bytes(func() { get(t, l, e.ID) })
	if list > 1<<20 || list > whole/4 {
		t.Errorf("a list takes %d bytes and the decision whole %d", list, whole)
	}
}

// TestAPageNamesABoundedNumberOfViewers has turns before a large audience.
func TestAPageNamesABoundedNumberOfViewers(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	viewers := members(60_000)
	var want []string
	for i := range 5 {
		e := numbered(i, 1)
		e.Request.Turn.Viewers, e.Viewers.Present = viewers, viewers
		record(t, l, e)
		want = append([]string{e.ID}, want...)
	}
	var got []string
	var sizes []int
	for q := (decisionlog.Query{Limit: 4}); ; {
		page, err := l.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Summaries))
		for _, s := range page.Summaries {
			got = append(got, s.ID)
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]int{2, 2, 1}, sizes); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}
