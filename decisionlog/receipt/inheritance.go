package receipt

import (
	"fmt"
	"slices"
	"strings"

	"earshot/policy"
)

// InheritanceRules is the predicate of the statement InheritancePolicy. Its subject is the policy that
// decided.
type InheritanceRules struct {
	Head

	// From are the other agents that introduced elements or what these were derived from, sorted; To is
	// who would inherit.
	From []Name `json:"from"`
	To   Name   `json:"to"`

	AuthorizedAgents []Name   `json:"authorized_agents"`
	Switches         Switches `json:"switches"`

	// Profile is strict or reference; absent for a decision.
	Profile policy.Profile `json:"profile,omitzero"`

	// Rules are the reasons that held, sorted by code.
	Rules []Rule `json:"rules"`

	Verdict policy.Verdict `json:"verdict"`

	// Permitted is whether the verdict lets agents share as they would.
	Permitted bool `json:"permitted"`
}

// Switches are those of the inheritance.
type Switches struct {
	ProhibitConfidential bool `json:"prohibit_confidential"`
	RequireAttribution   bool `json:"require_attribution"`
}

// Rule is one reason and the number of elements that it held for.
type Rule struct {
	Code     string `json:"code"`
	Elements int    `json:"elements"`
}

func inheritanceOf(m *matter, v *vault) (*InheritanceRules, []Subject) {
	p := &InheritanceRules{
		Head: m.head, From: []Name{}, To: m.head.Agent, AuthorizedAgents: v.nameAll(m.inheritance.AuthorizedAgents),
		Switches: Switches{!m.inheritance.AllowConfidential, !m.inheritance.AllowUnattributed},
		Profile:  m.profile, Rules: []Rule{}, Verdict: m.verdict, Permitted: permits(m.verdict),
	}
	counts := map[string]int{}
	for i := range m.elements {
		e := &m.elements[i]
		p.From = append(p.From, e.introducedBy)
		for _, s := range e.sources {
			p.From = append(p.From, s.IntroducedBy)
		}
		for _, reason := range e.reasons {
			counts[reason]++
		}
	}
	slices.Sort(p.From)
	p.From = slices.DeleteFunc(slices.Compact(p.From), func(n Name) bool { return n == "" || n == p.To })
	for _, code := range sortedKeys(counts) {
		p.Rules = append(p.Rules, Rule{code, counts[code]})
	}
	return p, []Subject{{subjectPolicy, Digest{strings.TrimPrefix(m.head.Policy.Revision, digestPrefix)}}}
}

func permits(v policy.Verdict) bool {
	return v == policy.IsolatedContext || v == policy.AuthorizedSharing
}

// Name returns InheritancePolicy.
func (p *InheritanceRules) Name() string { return InheritancePolicy }

// Sentences returns the verdict, between whom, and by which rules.
func (p *InheritanceRules) Sentences() []string {
	all := []string{
		fmt.Sprintf("Verdict %s: %s.", p.Verdict, either(p.Permitted, "permitted", "not permitted")),
		fmt.Sprintf("%s inherits from %s; authorized: %s.", p.To, listed(p.From), listed(p.AuthorizedAgents)),
		fmt.Sprintf("Confidential elements of others are %s; attribution is %s.",
			either(p.Switches.ProhibitConfidential, "prohibited", "not prohibited"),
			either(p.Switches.RequireAttribution, "required", "not required")),
	}
	if p.Profile != "" {
		all = append(all, fmt.Sprintf("Profile %s.", p.Profile))
	}
	for _, r := range p.Rules {
		all = append(all, fmt.Sprintf("Rule %s held for %s.", r.Code, counted(r.Elements, "element")))
	}
	return all
}

func (p *InheritanceRules) check(subject []Subject) error {
	if err := oneSubject(subjectPolicy, subject); err != nil {
		return err
	}
	switch {
	case digestPrefix+subject[0].Digest.SHA256 != p.Policy.Revision:
		return wrong("/subject/0/digest/sha256", "must be that of the policy's revision")
	case p.To != p.Agent:
		return wrong("/to", "must be the agent")
	case p.Profile != "" && p.Profile != policy.ProfileStrict && p.Profile != policy.ProfileReference:
		return wrong("/profile", "must be %s or %s", policy.ProfileStrict, policy.ProfileReference)
	case p.Permitted != permits(p.Verdict):
		return wrong("/permitted", "must be as the verdict has it")
	}
	for i, r := range p.Rules {
		if r.Code == "" || r.Elements < 1 {
			return wrong(fmt.Sprintf("/rules/%d", i), "must have a code and a count")
		}
	}
	return firstOf(checkVerdict(p.Verdict), checkNames("/from", p.From), checkNames("/authorized_agents", p.AuthorizedAgents))
}

func (p *InheritanceRules) committed(see func(string, Commitment)) {
	for _, names := range [][]Name{p.From, p.AuthorizedAgents, {p.To}} {
		seeNames(see, names)
	}
}
