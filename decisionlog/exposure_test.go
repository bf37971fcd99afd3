package decisionlog_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
)

// exposures returns all pages of a question, as "decision position item" lines.
func exposures(t testing.TB, l *decisionlog.Log, q decisionlog.ExposureQuery) []string {
	t.Helper()
	var lines []string
	for {
		page, err := l.Exposures(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if q.Limit > 0 && len(page.Exposures) > q.Limit {
			t.Fatalf("a page has %d exposures, asked for %d", len(page.Exposures), q.Limit)
		}
		for _, e := range page.Exposures {
			lines = append(lines, exposureLine(e.ID, e.Position, e.ItemID))
		}
		if page.Next == "" {
			return lines
		}
		q.Cursor = page.Next
	}
}

func exposureLine(id string, position int, item string) string {
	return fmt.Sprintf("%s %d %s", id, position, item)
}

// expectedExposures reads the entries one by one, the newest first.
func expectedExposures(entries []*policy.Entry, q decisionlog.ExposureQuery) []string {
	var lines []string
	for _, e := range slices.Backward(entries) {
		if q.Principal != "" && !slices.Contains(e.Request.Turn.Viewers, q.Principal) ||
			q.Viewer != "" && !slices.Contains(e.Request.Turn.Viewers, q.Viewer) ||
			q.Agent != "" && e.Request.Turn.Agent != q.Agent ||
			!q.From.IsZero() && e.At.Before(q.From) || !q.To.IsZero() && !e.At.Before(q.To) {
			continue
		}
		for i, r := range e.Results {
			item := e.Request.Candidates[i].ID
			if r.Admit && (q.Item == "" || q.Item == item) &&
				(q.Reason == "" || slices.Contains(r.Reasons, q.Reason) || slices.Contains(e.Viewers.Reasons, q.Reason)) {
				lines = append(lines, exposureLine(e.ID, i, item))
			}
		}
	}
	return lines
}

func TestExposuresAreThoseOfEveryDecision(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := open(t, decisionlog.Config{Dir: t.TempDir()})
		people := []string{"user:ann", "user:ben", "user:cat"}
		var entries []*policy.Entry
		for i := range rapid.IntRange(1, 8).Draw(r, "decisions") {
			e := numbered(i, 0)
			e.Request.Turn.Viewers = slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.SampledFrom(people), 0, 3, rapid.ID).Draw(r, "viewers")))
			e.Request.Turn.Agent = rapid.SampledFrom([]string{"agent:scribe", "agent:clerk"}).Draw(r, "agent")
			e.Viewers.Reasons = rapid.SampledFrom([][]string{nil, {"viewers_missing"}}).Draw(r, "viewers' reasons")
			for range rapid.IntRange(0, 5).Draw(r, "candidates") {
				id := rapid.SampledFrom([]string{"m1", "m2", "m3"}).Draw(r, "item")
				e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{ID: id, State: policy.StateLive})
				e.Results = append(e.Results, policy.Result{
					ID: id, Admit: rapid.Bool().Draw(r, "admit"),
					Reasons: []string{rapid.SampledFrom([]string{"public", "granted"}).Draw(r, "reason")},
				})
			}
			record(t, l, e)
			entries = append(entries, e)
		}
		q := decisionlog.ExposureQuery{Query: decisionlog.Query{
			Viewer: rapid.SampledFrom(append(people, "", "", "user:nobody")).Draw(r, "and viewer"),
			Agent:  rapid.SampledFrom([]string{"", "agent:clerk"}).Draw(r, "of agent"),
			Reason: rapid.SampledFrom([]string{"", "public", "viewers_missing", "revoked"}).Draw(r, "for reason"),
			Limit:  rapid.IntRange(1, 4).Draw(r, "limit"),
		}}
		if rapid.Bool().Draw(r, "of a person") {
			q.Principal = rapid.SampledFrom(append(people, "user:nobody")).Draw(r, "person")
		} else {
			q.Item = rapid.SampledFrom([]string{"m1", "m2", "m4"}).Draw(r, "of item")
		}
		if rapid.Bool().Draw(r, "bounded") {
			q.From, q.To = start.Add(2*time.Millisecond), start.Add(5*time.Millisecond)
		}
		if diff := cmp.Diff(expectedExposures(entries, q), exposures(t, l, q)); diff != "" {
			r.Fatalf("%+v (-want +got):\n%s", q, diff)
		}
	})
}

func TestExposuresTellWhoWasThereOnlyOfAnItem(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	e := numbered(1, 1)
	e.Results[0].Obligations = []string{"label_source"}
	position := record(t, l, e)
	for _, of := range []struct {
		query   decisionlog.ExposureQuery
		present []string
	}{
		{decisionlog.ExposureQuery{Principal: "user:ann"}, nil},
		{decisionlog.ExposureQuery{Query: decisionlog.Query{Item: e.Request.Candidates[0].ID}}, e.Viewers.Present},
	} {
		page, err := l.Exposures(t.Context(), of.query)
		if err != nil {
			t.Fatal(err)
		}
		viewers := e.Viewers
		viewers.Present = of.present
		want := []decisionlog.Exposure{{
			Summary: decisionlog.Summary{
				ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision, Log: position, RequestedBy: "runtime",
				TurnID: "turn-1", Attempt: 1, Tenant: "acme", Channel: "slack:C042", Agent: "agent:scribe",
				Viewers: viewers, Verdict: e.Verdict, Admitted: 1,
			},
			ItemID: e.Request.Candidates[0].ID, Reasons: []string{"audience_covers_viewers"}, Obligations: []string{"label_source"},
		}}
		if diff := cmp.Diff(want, page.Exposures); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestExposuresOfAHandoff(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	e := handedOff(1)
	if _, err := l.RecordHandoff(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	admitted := 0
	for i, r := range e.Results {
		if !r.Admit {
			continue
		}
		admitted++
		page, err := l.Exposures(t.Context(), decisionlog.ExposureQuery{Query: decisionlog.Query{Item: r.ID}})
		if err != nil || len(page.Exposures) != 1 || !page.Exposures[0].Handoff || page.Exposures[0].Position != i {
			t.Errorf("element %d: %+v, %v", i, page.Exposures, err)
		}
	}
	if admitted == 0 {
		t.Fatal("the hand-off admits nothing, so this test asks nothing")
	}
}

func TestExposuresRefuseWhatMakesNoSense(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 2 {
		record(t, l, numbered(i, 1))
	}
	first, err := l.Exposures(t.Context(), decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Limit: 1}})
	if err != nil || first.Next == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	list, err := l.List(t.Context(), decisionlog.Query{Viewer: "user:ann", Limit: 1})
	if err != nil || list.Next == "" {
		t.Fatalf("%+v, %v", list, err)
	}
	admit := true
	for name, tt := range map[string]struct {
		query     decisionlog.ExposureQuery
		parameter string
	}{
		"nobody and nothing":        {decisionlog.ExposureQuery{}, "principal"},
		"both":                      {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Item: "m1"}}, "item"},
		"an admit":                  {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Admit: &admit}}, "admit"},
		"an inverted range":         {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{From: start, To: start.Add(-1)}}, "to"},
		"too large a page":          {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Limit: 1001}}, "limit"},
		"a forged cursor":           {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Cursor: "AAAA"}}, "cursor"},
		"the cursor of another":     {decisionlog.ExposureQuery{Principal: "user:ben", Query: decisionlog.Query{Cursor: first.Next}}, "cursor"},
		"the cursor of a list":      {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Cursor: list.Next}}, "cursor"},
		"the cursor with a filter":  {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Cursor: first.Next, Agent: "a"}}, "cursor"},
		"a cursor that was changed": {decisionlog.ExposureQuery{Principal: "user:ann", Query: decisionlog.Query{Cursor: "B" + first.Next[1:]}}, "cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := l.Exposures(t.Context(), tt.query)
			wrong, ok := errors.AsType[*decisionlog.QueryError](err)
			if !ok || wrong.Parameter != tt.parameter {
				t.Errorf("got %+v, %v, want an error about %s", page, err, tt.parameter)
			}
		})
	}
}

// A decision that cannot be read may have exposed the item, and hides no other.
func TestExposuresNameWhatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	before := exposures(t, l, decisionlog.ExposureQuery{Principal: "user:ann"}) // which fills the index
	tamper(t, dir, `UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1`)
	page, err := l.Exposures(t.Context(), decisionlog.ExposureQuery{Principal: "user:ann"})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Exposures) != 3 || len(before) != 3 {
		t.Fatalf("%d exposures, before %d, want 3", len(page.Exposures), len(before))
	}
	for i, e := range page.Exposures {
		if wantDamage := i == 1; wantDamage != errors.Is(e.Damage, decisionlog.ErrDamaged) {
			t.Errorf("row %d: damage %v", e.Log.Index, e.Damage)
		}
	}
}

func TestExposuresSayWhereRetentionWas(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 3))
	exposures(t, l, decisionlog.ExposureQuery{Principal: "user:ann"}) // which fills the index
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL WHERE seq = 0`)
	page, err := l.Exposures(t.Context(), decisionlog.ExposureQuery{Principal: "user:ann"})
	if err != nil || len(page.Exposures) != 1 || !page.Exposures[0].Pruned || page.Exposures[0].ItemID != "" {
		t.Errorf("%+v, %v", page.Exposures, err)
	}
}
