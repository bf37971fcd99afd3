package decisionlog_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestPrunedPayload(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	position := record(t, l, numbered(0, 2))
	record(t, l, numbered(1, 2))
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL WHERE seq = 0`)

	e := numbered(0, 2)
	want := &decisionlog.Record{
		Entry:  policy.Entry{ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision},
		Log:    position,
		Pruned: true,
	}
	check := func() {
		t.Helper()
		if diff := cmp.Diff(want, get(t, l, e.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	check()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, decisionlog.Config{Dir: dir})
	verified(t, l, 2)
	check()
}

func TestErasedName(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e := numbered(0, 1)
	e.Request.Turn.Attributes = []byte(`{"mood":"calm"}`)
	e.Request.Turn.Agent = "user:ann"
	e.Request.Candidates[0].Audience = policy.Principals("user:ann", "user:ben", "agent:scribe")
	e.Directive = "PROCEED: Agent user:ann has isolated context."
	position := record(t, l, e)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	var ann, mood uint64
	other := alongside(t, dir)
	for text, handle := range map[string]*uint64{"user:ann": &ann, `{"mood":"calm"}`: &mood} {
		if err := other.QueryRowContext(t.Context(), `DELETE FROM name WHERE text = ? RETURNING handle`, []byte(text)).Scan(handle); err != nil {
			t.Fatal(err)
		}
	}
	gone := fmt.Sprintf("erased-%d", ann)

	l = open(t, decisionlog.Config{Dir: dir})
	verified(t, l, 1)
	want := *e
	want.Request.Turn.Attributes = fmt.Appendf(nil, `{"erased":%d}`, mood)
	want.Request.Turn.Agent = gone
	want.Directive = "PROCEED: Agent " + gone + " has isolated context."
	// Sets stay in the order of their texts, so that they are still in normal form.
	want.Request.Turn.Viewers = []string{gone, "user:ben"}
	want.Viewers.Present = []string{gone, "user:ben"}
	want.Request.Candidates = append([]policy.Candidate(nil), e.Request.Candidates...)
	want.Request.Candidates[0].Audience.Members = []string{"agent:scribe", gone, "user:ben"}
	if diff := cmp.Diff(&decisionlog.Record{Entry: want, Log: position}, get(t, l, e.ID)); diff != "" {
		t.Errorf("read after erasure (-want +got):\n%s", diff)
	}

	again := numbered(1, 1)
	record(t, l, again)
	if diff := cmp.Diff(*again, get(t, l, again.ID).Entry); diff != "" {
		t.Errorf("a name seen again after its erasure (-recorded +read):\n%s", diff)
	}
	if diff := cmp.Diff([]string{again.ID}, ids(t, l, decisionlog.Query{Viewer: "user:ann"})); diff != "" {
		t.Errorf("decisions found by the name (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, get(t, l, e.ID).Entry); diff != "" {
		t.Errorf("the old decision, after the name was seen again (-want +got):\n%s", diff)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, decisionlog.Config{Dir: dir})
	verified(t, l, 2)
	if diff := cmp.Diff([]string{again.ID, e.ID}, ids(t, l, decisionlog.Query{Viewer: "user:ben"})); diff != "" {
		t.Errorf("decisions found by another name (-want +got):\n%s", diff)
	}
}
