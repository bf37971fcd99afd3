package decisionlog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// about returns the i-th entry, with these results and these doubts about its viewers.
func about(i int, results []policy.Result, doubts ...string) *policy.Entry {
	e := numbered(i, 0)
	e.Viewers.Known, e.Viewers.Reasons = len(doubts) == 0, doubts
	for _, r := range results {
		e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{
			ID: r.ID, Audience: policy.Everybody(), AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive,
		})
	}
	e.Results = results
	return e
}

func admits(id string, reasons ...string) policy.Result {
	return policy.Result{ID: id, Admit: true, Reasons: reasons}
}

func denies(id string, reasons ...string) policy.Result {
	return policy.Result{ID: id, Reasons: reasons}
}

// histories are decisions about the items x and y with every outcome that the queries below tell apart.
func histories() []*policy.Entry {
	return []*policy.Entry{
		about(0, []policy.Result{denies("x", "expired")}),
		about(1, []policy.Result{denies("x", "revoked")}, "expired"), // a doubt of the same name
		about(2, []policy.Result{admits("x", "public"), denies("y", "expired")}),
		about(3, []policy.Result{admits("x", "public")}, "expired"),
		about(4, []policy.Result{denies("y", "expired", "revoked")}),
		about(5, []policy.Result{denies("x", "revoked"), admits("x", "public")}),
		about(6, nil),
	}
}

func TestListByItemAndOutcome(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for _, e := range histories() {
		record(t, l, e)
	}
	yes, no := new(true), new(false)
	for name, test := range map[string]struct {
		query decisionlog.Query
		want  []string
	}{
		"an item":                               {decisionlog.Query{Item: "x"}, []string{"5 sound", "3 sound", "2 sound", "1 sound", "0 sound"}},
		"an item, admitted":                     {decisionlog.Query{Item: "x", Admit: yes}, []string{"5 sound", "3 sound", "2 sound"}},
		"an item, denied":                       {decisionlog.Query{Item: "x", Admit: no}, []string{"5 sound", "1 sound", "0 sound"}},
		"a reason":                              {decisionlog.Query{Reason: "expired"}, []string{"4 sound", "3 sound", "2 sound", "1 sound", "0 sound"}},
		"a reason of results only":              {decisionlog.Query{Reason: "revoked"}, []string{"5 sound", "4 sound", "1 sound"}},
		"a reason nobody had":                   {decisionlog.Query{Reason: "granted"}, nil},
		"an item and a reason":                  {decisionlog.Query{Item: "x", Reason: "expired"}, []string{"3 sound", "1 sound", "0 sound"}},
		"another item and the reason":           {decisionlog.Query{Item: "y", Reason: "expired"}, []string{"4 sound", "2 sound"}},
		"an item, a reason, and admitted":       {decisionlog.Query{Item: "x", Reason: "expired", Admit: yes}, []string{"3 sound"}},
		"an item, a reason, and denied":         {decisionlog.Query{Item: "x", Reason: "expired", Admit: no}, []string{"1 sound", "0 sound"}},
		"its reason is that of its other place": {decisionlog.Query{Item: "x", Reason: "revoked", Admit: yes}, nil},
		"any admitted":                          {decisionlog.Query{Admit: yes}, []string{"5 sound", "3 sound", "2 sound"}},
		"any denied":                            {decisionlog.Query{Admit: no}, []string{"5 sound", "4 sound", "2 sound", "1 sound", "0 sound"}},
		"an item nobody had":                    {decisionlog.Query{Item: "z"}, nil},
		"another verdict":                       {decisionlog.Query{Verdict: "BLEED_DETECTED"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, listed(t, l, test.query)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// While the index cannot be filled, what it lacks is read from the ledger: outcomes that are older than
// those it knows of an item, and items that it knows nothing of.
func TestListByItemBehindTheIndex(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, about(0, []policy.Result{denies("y", "expired")}))
	record(t, l, about(1, []policy.Result{admits("x", "public")}))
	ids(t, l, decisionlog.Query{}) // has the index filled
	record(t, l, about(2, []policy.Result{denies("x", "expired")}))
	record(t, l, about(3, []policy.Result{denies("z", "expired")}))
	restore, err := l.MakeWriterReadOnly(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for item, want := range map[string][]string{"x": {"2 sound", "1 sound"}, "y": {"0 sound"}, "z": {"3 sound"}} {
		if diff := cmp.Diff(want, listed(t, l, decisionlog.Query{Item: item})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", item, diff)
		}
	}
	if l.Indexed() != 2 {
		t.Errorf("the index has %d decisions, so nothing was behind it", l.Indexed())
	}
	if err := restore(); err != nil {
		t.Error(err)
	}
}

// An outcome that cannot be read may be the one that is asked for.
func TestListByAnOutcomeThatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, about(0, []policy.Result{denies("x", "expired")}))
	record(t, l, about(1, []policy.Result{denies("y", "revoked")}))
	ids(t, l, decisionlog.Query{}) // has the index filled
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	tamper(t, dir, `UPDATE definition SET body = x'06' WHERE substr(body, 1, 1) = x'06'`)

	l = open(t, decisionlog.Config{Dir: dir})
	for _, q := range []decisionlog.Query{{Item: "x"}, {Item: "x", Admit: new(true)}, {Item: "x", Reason: "revoked"}} {
		if diff := cmp.Diff([]string{"0 damaged"}, listed(t, l, q)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", q, diff)
		}
	}
}

// A log that cannot search says so. It never takes the failure for a list without entries.
func TestListWithoutItsIndexFails(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, about(0, []policy.Result{denies("x", "expired")}))
	ids(t, l, decisionlog.Query{}) // has the index filled
	exec(t, alongside(t, dir), `DROP TABLE posting`)
	for _, q := range []decisionlog.Query{{Viewer: "user:ann"}, {Item: "x"}, {Reason: "expired"}, {Admit: new(false)}, {Viewer: "user:eve"}, {}} {
		if page, err := l.List(t.Context(), q); err == nil {
			t.Errorf("%+v: %+v without an error", q, page)
		}
	}
}
