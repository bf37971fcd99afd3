package decisionlog_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// asked returns the question that somebody asked i milliseconds after the start.
func asked(i int) *decisionlog.Access {
	admit := i%2 == 0
	return &decisionlog.Access{
		ID: fmt.Sprintf("01931c5e-7d2a-7c1f-9a70-%012d", i), At: start.Add(time.Duration(i) * time.Millisecond),
		PolicyRevision: "sha256:7", RequestedBy: fmt.Sprintf("auditor-%d", i%3), Door: decisionlog.DoorHTTP,
		Kind: decisionlog.AccessExposures, DecisionID: fmt.Sprintf("01931c5e-7d2a-7c1f-9a57-%012d", i), Principal: "user:ann",
		Query: decisionlog.Query{
			Viewer: "user:ben", Agent: "agent:scribe", Channel: "slack:C042", Tenant: "acme", Reason: "audience_covers_viewers",
			Admit: &admit, From: start.Add(-time.Hour), To: start, Limit: 7, Cursor: decisionlog.Continued,
		},
		Results: i - 1, // the first is of a stream
	}
}

func recordAccess(t testing.TB, l *decisionlog.Log, a *decisionlog.Access) {
	t.Helper()
	if _, err := l.RecordAccess(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

func TestAccessesAreReadBack(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 1))
	var want []decisionlog.Access
	for i := range 5 {
		recordAccess(t, l, asked(i))
		want = append([]decisionlog.Access{*asked(i)}, want...)
	}
	var got []decisionlog.Access
	for q := (decisionlog.AccessQuery{Span: decisionlog.Span{Limit: 2}}); ; {
		page, err := l.Accesses(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page.Accesses {
			if a.Damage != nil {
				t.Error(a.Damage)
			}
			got = append(got, a.Access)
		}
		if page.Next == "" {
			break
		}
		q.Cursor = page.Next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	list, err := l.List(t.Context(), decisionlog.Query{})
	if err != nil || len(list.Summaries) != 1 {
		t.Errorf("the questions are among the decisions: %+v, %v", list.Summaries, err)
	}
	verified(t, l, 6)
}

func TestAccessesAreFiltered(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for i := range 6 {
		recordAccess(t, l, asked(i))
	}
	for name, tt := range map[string]struct {
		query decisionlog.AccessQuery
		want  int
	}{
		"all":                 {decisionlog.AccessQuery{}, 6},
		"by a credential":     {decisionlog.AccessQuery{RequestedBy: "auditor-1"}, 2},
		"by nobody":           {decisionlog.AccessQuery{RequestedBy: "auditor"}, 0},
		"of a kind":           {decisionlog.AccessQuery{Kind: decisionlog.AccessExposures}, 6},
		"of no kind":          {decisionlog.AccessQuery{Kind: decisionlog.AccessList}, 0},
		"from the third":      {decisionlog.AccessQuery{Span: decisionlog.Span{From: start.Add(2 * time.Millisecond)}}, 4},
		"before the third":    {decisionlog.AccessQuery{Span: decisionlog.Span{To: start.Add(2 * time.Millisecond)}}, 2},
		"the third by itself": {decisionlog.AccessQuery{Span: decisionlog.Span{From: start.Add(2 * time.Millisecond), To: start.Add(3 * time.Millisecond)}}, 1},
	} {
		page, err := l.Accesses(t.Context(), tt.query)
		if err != nil || len(page.Accesses) != tt.want {
			t.Errorf("%s: %d, %v, want %d", name, len(page.Accesses), err, tt.want)
		}
	}
}

// To ask after somebody puts no name into the ledger, and erasing a name erases it from the questions.
func TestAQuestionKeepsNoNameOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, numbered(0, 1))
	a := asked(1)
	a.Principal, a.DecisionID = "user:stranger", "user:another-stranger"
	recordAccess(t, l, a)
	recordAccess(t, l, asked(2))
	for _, text := range []string{"user:stranger", "user:another-stranger"} {
		var n int
		row := alongside(t, dir).QueryRowContext(t.Context(), `SELECT count(*) FROM name WHERE text = CAST(? AS BLOB)`, text)
		if err := row.Scan(&n); err != nil || n != 0 {
			t.Errorf("%s is %d times in the ledger, %v", text, n, err)
		}
	}
	erase(t, l, erasureOf("user:ann", 1))
	recordAccess(t, l, asked(3)) // who was erased is not put back
	page, err := l.Accesses(t.Context(), decisionlog.AccessQuery{})
	if err != nil || len(page.Accesses) != 3 {
		t.Fatalf("%+v, %v", page.Accesses, err)
	}
	var got []string
	for _, a := range page.Accesses {
		got = append(got, a.Principal)
	}
	if got[0] != decisionlog.NotInLedger || got[2] != decisionlog.NotInLedger || got[1] == "user:ann" || got[1] == decisionlog.NotInLedger {
		t.Errorf("the principals read %q", got)
	}
	verified(t, l, 5)
}

func TestADamagedAccessHidesNoOther(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 3 {
		recordAccess(t, l, asked(i))
	}
	if _, err := l.Accesses(t.Context(), decisionlog.AccessQuery{}); err != nil { // which fills the index
		t.Fatal(err)
	}
	tamper(t, dir, `UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1`)
	page, err := l.Accesses(t.Context(), decisionlog.AccessQuery{Kind: decisionlog.AccessExposures})
	if err != nil || len(page.Accesses) != 3 || page.Accesses[1].Damage == nil || page.Accesses[0].Damage != nil {
		t.Errorf("%+v, %v", page.Accesses, err)
	}
}
