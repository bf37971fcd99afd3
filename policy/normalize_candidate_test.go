package policy_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

func TestDecideDeniesAMalformedCandidateAlone(t *testing.T) {
	mutations := map[string]func(*policy.Candidate){
		"id":         func(c *policy.Candidate) { c.ID = "a b" },
		"audience":   func(c *policy.Candidate) { c.Audience = policy.Principals("user:ann", "*") },
		"agent":      func(c *policy.Candidate) { c.Agent = "public" },
		"kind":       func(c *policy.Candidate) { c.Kind = "rumour" },
		"digest":     func(c *policy.Candidate) { c.Digest = "sha256:ABC" },
		"tenant":     func(c *policy.Candidate) { c.Tenant = "a\u200bb" },
		"attributes": func(c *policy.Candidate) { c.Attributes = []byte(`{"a":`) },
		"sources/0/agent": func(c *policy.Candidate) {
			c.Sources = []policy.Source{{Agent: "*", Audience: policy.Everybody(), State: "live"}}
		},
		"sources/0/audience": func(c *policy.Candidate) {
			c.Sources = []policy.Source{{Audience: policy.Principals("e\u0301"), State: "live"}}
		},
	}
	for field, mutate := range mutations {
		t.Run(field, func(t *testing.T) {
			bad := item("bad", policy.Principals("user:ann"))
			mutate(&bad)
			p := newPoint(t, embedded(t), &memory{})
			d := decide(t, p, turn("user:ann"), bad, item("good", policy.Principals("user:ann")))
			if diff := cmp.Diff([]string{policy.CodeMalformed}, d.Results[0].Reasons); diff != "" || d.Results[0].Admit {
				t.Errorf("bad: %+v", d.Results[0])
			}
			if !d.Results[1].Admit {
				t.Errorf("good: %+v", d.Results[1])
			}
			faults := p.Explain(d, 0).Faults
			if len(faults) != 1 || faults[0].Field != field {
				t.Errorf("faults %+v, want one of %s", faults, field)
			}
		})
	}
}

func TestDecideFlattensSources(t *testing.T) {
	inner := []policy.Source{
		{ID: "s1", Audience: policy.Principals("user:ann"), State: "live"},
		{ID: "s2", Audience: policy.Principals("user:ann", "user:ben"), State: "live"},
	}
	sum := item("sum", policy.Audience{Kind: policy.AudienceInherited})
	sum.Kind = "summary"
	sum.Sources = []policy.Source{{ID: "outer", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: "live", Sources: inner}}
	d := decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), sum)
	if !d.Results[0].Admit {
		t.Errorf("covered by both inner sources: %+v", d.Results[0])
	}
	var ids []string
	for _, s := range d.Request.Candidates[0].Sources {
		ids = append(ids, s.ID)
	}
	if !slices.Equal(ids, []string{"outer", "s1", "s2"}) {
		t.Errorf("flattened to %v", ids)
	}

	sum.Sources[0].State = "erased"
	d = decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), sum)
	if diff := cmp.Diff([]string{"source_not_live"}, d.Results[0].Reasons); diff != "" {
		t.Errorf("an erased parent of live sources (-want +got):\n%s", diff)
	}
}
