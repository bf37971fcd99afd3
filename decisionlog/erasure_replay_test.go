package decisionlog_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// recordedFacts answers with the facts of a record.
type recordedFacts policy.Facts

func (f recordedFacts) Facts(context.Context, *policy.Request) (policy.Facts, error) {
	return policy.Facts(f), nil
}

// unkept keeps nothing.
type unkept struct{}

func (unkept) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

// TestErasedDecisionsAreDecidedAgain decides what the log has of a person once more, after the erasure,
// and wants the same answers.
func TestErasedDecisionsAreDecidedAgain(t *testing.T) {
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.NewEngine(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	point := func(recorder policy.Recorder, id string, at time.Time, facts policy.Facts) *policy.Point {
		t.Helper()
		p, err := policy.NewPoint(policy.Config{
			Engine: engine, Recorder: recorder, Registry: recordedFacts(facts),
			Clock: func() time.Time { return at }, NewID: func() (string, error) { return id, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	item := policy.Candidate{
		ID: "note", AudienceBasis: policy.BasisRecorded, Agent: "agent:scribe", Kind: policy.KindFact,
		Confidential: policy.NotConfidential, State: policy.StateLive,
	}
	for i := range 16 {
		req := policy.Request{Turn: policy.Turn{
			Attempt: 1, Agent: "agent:scribe", ViewersBasis: policy.BasisPlatform,
			Viewers: []string{erasedPerson, "user:ben"}, Attributes: fmt.Appendf(nil, `{"host":%q}`, erasedPerson),
		}}
		if i&1 > 0 {
			req.Turn.ExternalViewers = []string{erasedPerson}
		}
		if i&2 > 0 {
			req.Turn.RevokedViewers = []string{erasedPerson}
		}
		if i&4 > 0 {
			req.Turn.Evidence = []policy.Evidence{{Viewers: []string{"user:ben"}, Complete: true}}
		}
		for _, audience := range []policy.Audience{
			policy.Principals(erasedPerson, "user:ben"), policy.Principals("user:ben"), policy.Everybody(), policy.Principals(erasedPerson),
		} {
			c := item
			c.Audience = audience
			req.Candidates = append(req.Candidates, c)
			c.Agent = erasedPerson
			c.Sources = []policy.Source{{Audience: audience, Agent: erasedPerson, State: policy.StateLive, Confidential: policy.NotConfidential}}
			req.Candidates = append(req.Candidates, c)
		}
		facts := policy.Facts{}
		if i&8 > 0 {
			facts.Roster = &policy.Roster{Members: sorted(erasedPerson, "user:ben")}
			facts.Grants = map[int][]string{2: sorted(erasedPerson, "user:ben")}
		}
		if _, err := point(l, fmt.Sprintf("01931c5e-7d2a-7c1f-9a59-%012d", i), start, facts).Decide(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	erase(t, l, erasureOf(erasedPerson, 1))
	admitted := 0
	for i := range 16 {
		r := get(t, l, fmt.Sprintf("01931c5e-7d2a-7c1f-9a59-%012d", i))
		again, err := point(unkept{}, r.ID, r.At, r.Facts).Decide(t.Context(), r.Request)
		if err != nil {
			t.Fatal(err)
		}
		// The digest of the viewers is gone, and the one of their pseudonyms says nothing.
		want := r.Entry
		want.Viewers.Digest = again.Viewers.Digest
		if diff := cmp.Diff(want, again.Entry); diff != "" {
			t.Errorf("decision %d (-recorded +again):\n%s", i, diff)
		}
		n, _ := r.Counts()
		admitted += n
	}
	if admitted == 0 {
		t.Error("nothing was admitted, so that nothing was shown")
	}
}
