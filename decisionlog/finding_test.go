package decisionlog_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// withFindings returns a log with three findings among other entries, and their ids, the newest first.
func withFindings(t *testing.T, dir string) (*decisionlog.Log, []string) {
	t.Helper()
	l := open(t, decisionlog.Config{Dir: dir})
	bleed := numbered(1, 1)
	bleed.Verdict = policy.BleedDetected
	record(t, l, numbered(0, 1))
	record(t, l, bleed)
	unattributed := handedOff(2)
	unattributed.Verdict = policy.UnattributedContext
	recordHandoff(t, l, unattributed)
	recordHandoff(t, l, handedOff(3))
	uncovered := verification(numbered(0, 1).ID)
	uncovered.Findings = []policy.Finding{{Segment: 1, Kind: "unattributed"}}
	covered := verification(numbered(0, 1).ID)
	covered.ID, covered.Findings = "01931c5e-7d2a-7c1f-9a61-000000000002", nil
	for _, v := range []*decisionlog.Verification{uncovered, covered} {
		if _, err := l.RecordVerification(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	return l, []string{uncovered.ID, unattributed.ID, bleed.ID}
}

func disposed(i int, finding string) *decisionlog.Disposition {
	return &decisionlog.Disposition{
		ID: fmt.Sprintf("01931c5e-7d2a-7c1f-9a71-%012d", i), At: start, PolicyRevision: "sha256:7", FindingID: finding,
		Disposition: "accepted", Note: "user:ann was told", RequestedBy: "reviewer",
	}
}

func findings(t *testing.T, l *decisionlog.Log, q decisionlog.FindingQuery) []decisionlog.Finding {
	t.Helper()
	var list []decisionlog.Finding
	for {
		page, err := l.Findings(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, page.Findings...)
		if page.Next == "" {
			return list
		}
		q.Cursor = page.Next
	}
}

func findingIDs(findings []decisionlog.Finding) (list []string) {
	for _, f := range findings {
		list = append(list, f.ID)
	}
	return list
}

func TestFindingsAndTheirDispositions(t *testing.T) {
	l, all := withFindings(t, t.TempDir())
	if diff := cmp.Diff(all, findingIDs(findings(t, l, decisionlog.FindingQuery{Span: decisionlog.Span{Limit: 1}}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first, second := disposed(1, all[1]), disposed(2, all[1])
	second.Disposition, second.Note = "fixed", ""
	for _, d := range []*decisionlog.Disposition{first, second} {
		if _, err := l.RecordDisposition(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if got := findingIDs(findings(t, l, decisionlog.FindingQuery{State: decisionlog.FindingOpen})); !cmp.Equal(got, []string{all[0], all[2]}) {
		t.Errorf("open are %v", got)
	}
	closed := findings(t, l, decisionlog.FindingQuery{State: decisionlog.FindingClosed})
	if len(closed) != 1 || closed[0].Type != "handoff" || closed[0].Verdict != policy.UnattributedContext {
		t.Fatalf("closed are %+v", closed)
	}
	var got []decisionlog.Disposition
	for _, d := range closed[0].Dispositions {
		got = append(got, d.Disposition)
	}
	if diff := cmp.Diff([]decisionlog.Disposition{*first, *second}, got); diff != "" {
		t.Errorf("dispositions (-want +got):\n%s", diff)
	}
	verified(t, l, 8)
}

func TestADispositionIsOfAFinding(t *testing.T) {
	l, _ := withFindings(t, t.TempDir())
	for name, id := range map[string]string{
		"nothing":                  "01931c5e-7d2a-7c1f-9a57-00000000ffff",
		"a decision that is none":  numbered(0, 1).ID,
		"a hand-off that is none":  handedOff(3).ID,
		"a check without findings": "01931c5e-7d2a-7c1f-9a61-000000000002",
	} {
		if _, err := l.RecordDisposition(t.Context(), disposed(1, id)); !errors.Is(err, decisionlog.ErrNotFound) {
			t.Errorf("%s: %v, want %v", name, err, decisionlog.ErrNotFound)
		}
	}
	verified(t, l, 6)
}

func TestFindingsOfATenant(t *testing.T) {
	l, all := withFindings(t, t.TempDir())
	if got := findingIDs(findings(t, l, decisionlog.FindingQuery{Tenant: "umbrella"})); got != nil {
		t.Errorf("umbrella has %v", got)
	}
	if got := findingIDs(findings(t, l, decisionlog.FindingQuery{Tenant: "acme", Span: decisionlog.Span{To: start.Add(2e6)}})); len(got) == 0 || got[len(got)-1] != all[2] {
		t.Errorf("acme has %v", got)
	}
}

func TestTheNoteOfADispositionCanBeErased(t *testing.T) {
	l, all := withFindings(t, t.TempDir())
	if _, err := l.RecordDisposition(t.Context(), disposed(1, all[2])); err != nil {
		t.Fatal(err)
	}
	erase(t, l, erasureOf("user:ann", 1))
	closed := findings(t, l, decisionlog.FindingQuery{State: decisionlog.FindingClosed})
	if len(closed) != 1 || closed[0].Dispositions[0].Note == "user:ann was told" || closed[0].Dispositions[0].Disposition.Disposition != "accepted" {
		t.Errorf("%+v", closed)
	}
	verified(t, l, 8)
}
