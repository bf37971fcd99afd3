package policy_test

import (
	"context"
	"testing"

	"earshot/policy"
)

// TestTheEnginesOwnTestAtItsEdges has a policy that admits whatever is asked of it, save by the check at load.
func TestTheEnginesOwnTestAtItsEdges(t *testing.T) {
	const decision = `{"admit": true, "permits": {"yes"}, "forbids": set(), "obligations": set()} if not startswith(input.turn.agent, "canary")

decision := {"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()} if startswith(input.turn.agent, "canary")`
	const doubting = `{"known": count(reasons) == 0, "reasons": reasons, "present": input.turn.viewers}

reasons contains "doubt" if input.turn.channel == "doubtful"`
	engine, err := policy.NewEngine(t.Context(), bundleOf(t, decision, doubting, noProblems))
	if err != nil {
		t.Fatal(err)
	}
	summary := func(declared policy.Audience, sources ...policy.Audience) policy.Candidate {
		c := item("m1", declared)
		for _, a := range sources {
			c.Sources = append(c.Sources, from("", a))
		}
		return c
	}
	inherited := policy.Audience{Kind: policy.AudienceInherited}
	ann := policy.Principals("user:ann")
	for name, test := range map[string]struct {
		item    policy.Candidate
		channel string
		grant   []string
		guest   bool
		admit   bool
	}{
		"in order":                       {item: item("m1", ann), admit: true},
		"a fault":                        {item: item("m 1", ann)},
		"a fault of a public item":       {item: item("m 1", policy.Everybody())},
		"a doubt":                        {item: item("m1", ann), channel: "doubtful"},
		"a doubt, and public":            {item: item("m1", policy.Everybody()), channel: "doubtful", admit: true},
		"of the tenant":                  {item: item("m1", policy.WholeTenant()), admit: true},
		"of the tenant, before a guest":  {item: item("m1", policy.WholeTenant()), guest: true},
		"public of the tenant, a guest":  {item: summary(policy.Everybody(), policy.WholeTenant()), guest: true},
		"inherited of the tenant, doubt": {item: summary(inherited, policy.WholeTenant()), channel: "doubtful"},
		"public of public, a doubt":      {item: summary(inherited, policy.Everybody()), channel: "doubtful", admit: true},
		"nobody's":                       {item: item("m1", policy.Audience{})},
		"nobody's, granted":              {item: item("m1", policy.Audience{}), grant: []string{"user:ann"}, admit: true},
		"granted to more":                {item: item("m1", policy.Audience{}), grant: []string{"user:ann", "user:ben"}},
		"granted to another":             {item: item("m1", policy.Audience{}), grant: []string{"user:ben"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := configured(t, func(c *policy.Config) {
				c.Engine = engine
				c.Registry = registry(func(context.Context, *policy.Request) (policy.Facts, error) {
					return policy.Facts{Grants: map[int][]string{0: test.grant}}, nil
				})
			})
			asked := turn("user:ann")
			asked.Channel = test.channel
			if test.guest {
				asked.ExternalViewers = asked.Viewers
			}
			r := decide(t, p, asked, test.item).Results[0]
			if r.Admit != test.admit || !test.admit && r.Reasons[0] != policy.CodeInvariantViolation {
				t.Errorf("%+v, want admit %t", r, test.admit)
			}
		})
	}
}
