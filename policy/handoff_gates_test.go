package policy_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/policy"
)

// gatesOf returns an engine whose gates forbid an element for what its id lists, with "+" between the
// codes. They admit an element called open, with the obligation to name its source, and one called bare,
// without. The agent frozen gets nothing.
func gatesOf(t *testing.T) *policy.Engine {
	t.Helper()
	files := embeddedFiles(t)
	files["earshot/handoff/handoff.rego"] = file(`# METADATA
# scope: subpackages
# schemas:
#   - input: schema.handoff
package earshot.handoff

halts contains "frozen" if input.handoff.agent == "agent:frozen"

decision := {"admit": true, "permits": {"yes"}, "forbids": set(), "obligations": {"label_source"}} if {
	input.element.id == "open"
} else := {"admit": true, "permits": {"yes"}, "forbids": set(), "obligations": set()} if {
	input.element.id == "bare"
} else := {"admit": false, "permits": set(), "forbids": {code | some code in split(input.element.id, "+")}, "obligations": set()}
`)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Each verdict is that of the first gate in the order of the guard, with the number of its elements.
func TestHandoffVerdictIsThatOfTheFirstGate(t *testing.T) {
	const confidential, unattributed, stranger = "confidential_from_other_agent", "unattributed", "agent_not_authorized"
	point := handoffPoint(t, gatesOf(t), &handoffs{})
	for name, test := range map[string]struct {
		agent     string
		elements  []string
		verdict   policy.Verdict
		directive string
	}{
		"one element under two gates": {
			"", []string{confidential + "+" + unattributed, "open"},
			policy.BleedDetected, "HALT: 1 confidential elements inherited from other agents.",
		},
		"unattributed and not authorised": {
			"", []string{stranger + "+" + unattributed, stranger},
			policy.UnattributedContext, "HALT: 1 context elements lack attribution.",
		},
		"not authorised, and worse for no guard": {
			"", []string{"other+" + stranger, "other", "open"},
			policy.BleedDetected, "HALT: 1 elements from unauthorized agents.",
		},
		"two of three refused": {
			"", []string{"other", "open", "another+other"},
			policy.BleedDetected, "HALT: 2 elements must not be inherited.",
		},
		"as a whole": {
			"agent:frozen", []string{"open"},
			policy.BleedDetected, "HALT: the policy refuses the hand-off as a whole.",
		},
		"as a whole, which each element repeats": {
			"agent:frozen", []string{"frozen", "open"},
			policy.BleedDetected, "HALT: the policy refuses the hand-off as a whole.",
		},
		"as a whole, and for an element": {
			"agent:frozen", []string{"frozen+other", "frozen"},
			policy.BleedDetected, "HALT: 1 elements must not be inherited.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
				if test.agent != "" {
					h.Agent = test.agent
				}
				like := h.Elements[0]
				h.Elements = nil
				for _, id := range test.elements {
					like.ID = id
					h.Elements = append(h.Elements, like)
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			if d.Verdict != test.verdict || d.Directive != test.directive {
				t.Errorf("%s, %q, want %s, %q; results %+v", d.Verdict, d.Directive, test.verdict, test.directive, d.Results)
			}
			if admitted, _ := d.Counts(); admitted != 0 {
				t.Errorf("%d admitted", admitted)
			}
		})
	}
}

// The engine's own test of an element that the gates admit, at each of its edges.
func TestGatesCannotWidenAHandoffAtTheEdges(t *testing.T) {
	point := handoffPoint(t, gatesOf(t), &handoffs{})
	nobodys := func(change func(h *policy.Handoff)) func(h *policy.Handoff) {
		return func(h *policy.Handoff) {
			h.Elements[0].Source = ""
			h.Inheritance.AllowUnattributed = true
			h.Boundary.SharedSubstrate = policy.SubstrateSeparate
			change(h)
		}
	}
	one := func(agents ...string) func(h *policy.Handoff) {
		return nobodys(func(h *policy.Handoff) {
			h.Boundary.SharedSubstrate, h.Boundary.SingleSource = policy.SubstrateShared, "agent:intake"
			h.Inheritance.AuthorizedAgents = agents
		})
	}
	for name, test := range map[string]struct {
		change func(h *policy.Handoff)
		admit  bool
	}{
		"another's":                          {func(*policy.Handoff) {}, true},
		"another's, without a label":         {func(h *policy.Handoff) { h.Elements[0].ID = "bare" }, false},
		"its own":                            {func(h *policy.Handoff) { h.Elements[0] = own("bare") }, true},
		"its own prior":                      {func(h *policy.Handoff) { h.Elements[0] = own("open"); h.Elements[0].Kind = "prior" }, true},
		"its own prior, without a label":     {func(h *policy.Handoff) { h.Elements[0] = own("bare"); h.Elements[0].Kind = "prior" }, false},
		"nobody's":                           {nobodys(func(*policy.Handoff) {}), true},
		"nobody's, attribution required":     {nobodys(func(h *policy.Handoff) { h.Inheritance.AllowUnattributed = false }), false},
		"nobody's, confidentiality not said": {nobodys(func(h *policy.Handoff) { h.Elements[0].Confidential = policy.ConfidentialityUnstated }), false},
		"nobody's, confidential allowed": {nobodys(func(h *policy.Handoff) {
			h.Elements[0].Confidential = policy.Confidential
			h.Inheritance.AllowConfidential = true
		}), false},
		"nobody's prior":                      {nobodys(func(h *policy.Handoff) { h.Elements[0].Kind = "prior" }), false},
		"nobody's directive":                  {nobodys(func(h *policy.Handoff) { h.Elements[0].Kind = "directive" }), false},
		"nobody's, substrate not said":        {nobodys(func(h *policy.Handoff) { h.Boundary.SharedSubstrate = policy.SubstrateUnstated }), false},
		"nobody's, of the one source":         {one("agent:intake"), true},
		"nobody's, of the one source, twice":  {one("agent:intake", "agent:intake"), true},
		"nobody's, of one source among two":   {one("agent:intake", "agent:legal"), false},
		"nobody's, of a source not permitted": {one("agent:legal"), false},
		"nobody's, of no source permitted":    {one(), false},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
				h.Elements[0].ID = "open"
				test.change(h)
			}))
			if err != nil {
				t.Fatal(err)
			}
			r := d.Results[0]
			if r.Admit != test.admit || !test.admit && r.Reasons[0] != policy.CodeInvariantViolation {
				t.Errorf("%+v, want admit %t", r, test.admit)
			}
		})
	}
}

// A bundle whose gates admit what nobody may inherit does not go live.
func TestGatesThatAdmitEverythingAreRefused(t *testing.T) {
	files := embeddedFiles(t)
	files["earshot/handoff/handoff.rego"] = file(`# METADATA
# scope: subpackages
# schemas:
#   - input: schema.handoff
package earshot.handoff

halts := set()

decision := {"admit": true, "permits": {"yes"}, "forbids": set(), "obligations": {"label_source"}}
`)
	if _, err := engineOf(files); !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "self-check: the hand-off") {
		t.Errorf("got %v, want a refusal by the self-check", err)
	}
}
