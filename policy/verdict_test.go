package policy_test

import (
	"testing"

	"earshot/policy"
)

// TestVerdict is about one agent's turn, in which the agent researcher may be inherited from.
func TestVerdict(t *testing.T) {
	type change func(*policy.Candidate)
	// anothers returns an item that may be inherited, save for the changes.
	anothers := func(changes ...change) policy.Candidate {
		c := item("m", policy.Everybody())
		c.Agent, c.Shared, c.Confidential = "agent:researcher", true, policy.NotConfidential
		for _, change := range changes {
			change(&c)
		}
		return c
	}
	nobodys := func(changes ...change) policy.Candidate {
		return anothers(append([]change{func(c *policy.Candidate) { c.Agent = "" }}, changes...)...)
	}
	confidential := func(c *policy.Candidate) { c.Confidential = policy.Confidential }
	unshared := func(c *policy.Candidate) { c.Shared = false }
	stranger := func(c *policy.Candidate) { c.Agent = "agent:stranger" }
	directive := func(c *policy.Candidate) { c.Kind = "directive" }
	expired := func(c *policy.Candidate) { c.ExpiresAt = noon }
	erased := func(c *policy.Candidate) { c.State = "erased" }
	ofAnother := func(c *policy.Candidate) {
		c.Sources = []policy.Source{{Audience: policy.Everybody(), Agent: "agent:researcher", State: policy.StateLive}}
	}
	own, closed := item("own", policy.Everybody()), item("closed", policy.Audience{})

	const isolated = "PROCEED: Agent agent:scribe has isolated context."
	p := newPoint(t, embedded(t), &memory{})
	for name, test := range map[string]struct {
		candidates []policy.Candidate
		anybody    bool // attribution is not required
		verdict    policy.Verdict
		directive  string
	}{
		"nothing":                 {nil, false, policy.IsolatedContext, isolated},
		"its own":                 {[]policy.Candidate{own, own}, false, policy.IsolatedContext, isolated},
		"its own, denied":         {[]policy.Candidate{own, closed}, false, policy.IsolatedContext, isolated},
		"another's, expired":      {[]policy.Candidate{anothers(expired)}, false, policy.IsolatedContext, isolated},
		"another's, erased":       {[]policy.Candidate{own, anothers(erased)}, false, policy.IsolatedContext, isolated},
		"nobody's, where allowed": {[]policy.Candidate{nobodys()}, true, policy.IsolatedContext, isolated},
		"another's": {
			[]policy.Candidate{own, anothers(), closed}, false,
			policy.AuthorizedSharing, "PROCEED: 1 authorized shared elements.",
		},
		"two of another's, and one that is erased": {
			[]policy.Candidate{anothers(), own, anothers(erased), anothers()}, false,
			policy.AuthorizedSharing, "PROCEED: 2 authorized shared elements.",
		},
		"unshared": {
			[]policy.Candidate{anothers(unshared), anothers()}, false,
			policy.BleedDetected, "HALT: 1 elements from unauthorized agents.",
		},
		"a stranger's": {
			[]policy.Candidate{anothers(), anothers(stranger), own}, false,
			policy.BleedDetected, "HALT: 1 elements from unauthorized agents.",
		},
		"another's directive": {
			[]policy.Candidate{anothers(directive)}, false,
			policy.BleedDetected, "HALT: 1 elements from unauthorized agents.",
		},
		"one that is wrong in every way, and another": {
			[]policy.Candidate{anothers(unshared, stranger, directive, expired), anothers(unshared)}, false,
			policy.BleedDetected, "HALT: 2 elements from unauthorized agents.",
		},
		"nobody's": {
			[]policy.Candidate{nobodys(), own, anothers()}, false,
			policy.UnattributedContext, "HALT: 1 context elements lack attribution.",
		},
		"nobody's before a stranger's": {
			[]policy.Candidate{anothers(stranger), nobodys(), anothers(unshared)}, false,
			policy.UnattributedContext, "HALT: 1 context elements lack attribution.",
		},
		"confidential": {
			[]policy.Candidate{anothers(confidential)}, false,
			policy.BleedDetected, "HALT: 1 confidential elements inherited from other agents.",
		},
		"confidential before all others": {
			[]policy.Candidate{nobodys(), anothers(stranger), anothers(confidential), anothers()}, false,
			policy.BleedDetected, "HALT: 1 confidential elements inherited from other agents.",
		},
		"nobody's, of another's that is confidential": {
			[]policy.Candidate{nobodys(confidential, ofAnother)}, false,
			policy.BleedDetected, "HALT: 1 confidential elements inherited from other agents.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := p.Decide(t.Context(), policy.Request{
				Turn:        turn("user:ann"),
				Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:researcher"}, AllowUnattributed: test.anybody},
				Candidates:  test.candidates,
			})
			if err != nil {
				t.Fatal(err)
			}
			if d.Verdict != test.verdict || d.Directive != test.directive {
				t.Errorf("%s, %q, want %s, %q; results %+v", d.Verdict, d.Directive, test.verdict, test.directive, d.Results)
			}
		})
	}
}

// A forbid of inheritance on the agent's own item is no bleed, whatever the policy means by it.
func TestVerdictIsAboutOtherAgents(t *testing.T) {
	decision := `{"admit": false, "permits": set(), "forbids": {"unshared_from_other_agent"}, "obligations": set()}`
	d := decide(t, newPoint(t, bundleOf(t, decision, knownReport, noProblems), &memory{}), turn("user:ann"), item("own", policy.Everybody()))
	if d.Verdict != policy.IsolatedContext {
		t.Errorf("%s, %q", d.Verdict, d.Directive)
	}
}
