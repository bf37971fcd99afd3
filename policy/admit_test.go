package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// TestAnAdmissionSaysWhatWasDecided admits the second and the fourth of four.
func TestAnAdmissionSaysWhatWasDecided(t *testing.T) {
	digest := func(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }
	with := func(c policy.Candidate, digest string) policy.Candidate {
		c.Digest = digest
		return c
	}
	foreign := with(item("another's", policy.Everybody()), digest("4"))
	foreign.Agent, foreign.Shared, foreign.Confidential = "agent:researcher", true, policy.NotConfidential

	p := newPoint(t, withSetting(t, `"internal_bots": []`, `"internal_bots": ["bot:log"]`), &memory{})
	d, err := p.Decide(t.Context(), policy.Request{
		Turn:        turn("user:ann", "bot:log"),
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:researcher"}},
		Candidates: []policy.Candidate{
			with(item("ben's", policy.Principals("user:ben")), digest("1")),
			with(item("ann's", policy.Principals("user:ann")), digest("2")),
			with(item("nobody's", policy.Audience{}), digest("3")),
			foreign,
		},
	})
	if err != nil {
		t.Fatal(err)
	}

	type said struct {
		Item, Content, Viewers, Decision string
		At                               time.Time
		Obligations                      []string
	}
	var got []said
	for _, a := range d.Admitted() {
		got = append(got, said{a.ItemID(), a.ContentDigest(), a.ViewersDigest(), a.DecisionID(), a.DecidedAt(), a.Obligations()})
	}
	// The digest is of the viewers as stated, bots among them.
	viewers := policy.ViewersDigest([]string{"bot:log", "user:ann"})
	want := []said{
		{"ann's", digest("2"), viewers, d.ID, noon, []string{}},
		{"another's", digest("4"), viewers, d.ID, noon, []string{"label_source"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// Neither what is done to the decision nor to what an admission returned reaches the admission.
	admission := d.Admitted()[1]
	d.Results[3].Obligations[0] = "nothing"
	admission.Obligations()[0] = "nothing"
	if diff := cmp.Diff([]string{"label_source"}, admission.Obligations()); diff != "" {
		t.Errorf("obligations that were written over (-want +got):\n%s", diff)
	}
}

// A recorder keeps a decision and makes none, whatever it does to the entry it is given.
func TestARecorderCannotAdmit(t *testing.T) {
	widen := recorder(func(e *policy.Entry) {
		e.Results[0] = policy.Result{ID: "ben's", Admit: true, Reasons: []string{"public"}}
	})
	d := decide(t, newPoint(t, embedded(t), widen), turn("user:ann"), item("ben's", policy.Principals("user:ben")))
	if got := d.Admitted(); len(got) != 0 {
		t.Errorf("admitted: %+v", got)
	}
}

// An admission is good for the Point that made it alone; the zero value is good for nothing.
func TestAnAdmissionIsOfOnePoint(t *testing.T) {
	one, other := newPoint(t, embedded(t), &memory{}), newPoint(t, embedded(t), &memory{})
	a := decide(t, one, turn("user:ann"), item("m1", policy.Everybody())).Admitted()[0]
	if !a.Valid(one) || a.Valid(other) || a.Valid(nil) {
		t.Errorf("valid for its own %t, another %t, none %t", a.Valid(one), a.Valid(other), a.Valid(nil))
	}
	if zero := (policy.Admitted{}); zero.Valid(one) || zero.Valid(nil) {
		t.Error("the zero value is valid")
	}
}
