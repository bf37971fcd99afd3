package policy_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/policy"
)

// handoff gives hand-offs from a small world, so that every gate is met.
func handoff() *rapid.Generator[policy.Handoff] {
	agents := []string{"agent:a", "agent:b", "agent:c"}
	agent := rapid.SampledFrom(agents)
	return rapid.Custom(func(t *rapid.T) policy.Handoff {
		h := policy.Handoff{
			Agent: "agent:a",
			Inheritance: policy.Inheritance{
				AuthorizedAgents:  rapid.SliceOfDistinct(agent, rapid.ID).Draw(t, "authorised"),
				AllowConfidential: rapid.Bool().Draw(t, "allow confidential"),
				AllowUnattributed: rapid.Bool().Draw(t, "allow unattributed"),
			},
			Boundary: policy.Boundary{
				Stated:          rapid.IntRange(0, 3).Draw(t, "stated") > 0,
				SharedSubstrate: policy.Substrate(rapid.IntRange(0, 2).Draw(t, "substrate")),
				SingleSource:    rapid.SampledFrom(append([]string{""}, agents...)).Draw(t, "single source"),
				PrivateTo: rapid.MapOfN(agent, rapid.SliceOfN(rapid.SampledFrom([]string{"e1", "e2", "e3"}), 0, 2), 0, 1).
					Draw(t, "private to"),
			},
		}
		h.Elements = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) policy.Element {
			return policy.Element{
				ID:           rapid.SampledFrom([]string{"e1", "e2", "e3", "e4", "e5"}).Draw(t, "id"),
				Source:       rapid.SampledFrom(append([]string{""}, agents...)).Draw(t, "source"),
				Shared:       rapid.IntRange(0, 3).Draw(t, "shared") > 0,
				Confidential: policy.Confidentiality(rapid.SampledFrom([]int{0, 1, 2, 2, 2}).Draw(t, "confidential")),
				Kind:         rapid.SampledFrom([]string{"fact", "fact", "prior", "directive"}).Draw(t, "kind"),
			}
		}), 0, 3).Draw(t, "elements")
		return h
	})
}

// The strict profile never lets through what the reference halts, admits all or nothing, and never
// needs the engine's own test.
func TestStrictIsStricter(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	proceeded := 0
	rapid.Check(t, func(rt *rapid.T) {
		h := handoff().Draw(rt, "hand-off")
		strict, err := point.HandOff(t.Context(), h)
		if err != nil {
			rt.Fatal(err)
		}
		h.Profile = policy.ProfileReference
		reference, err := point.HandOff(t.Context(), h)
		if err != nil {
			rt.Fatal(err)
		}
		proceed := strings.HasPrefix(strict.Directive, "PROCEED: ")
		if proceed {
			proceeded++
		}
		if proceed && strings.HasPrefix(reference.Directive, "HALT: ") {
			rt.Errorf("strict: %s, reference: %s", strict.Directive, reference.Directive)
		}
		for i, r := range strict.Results {
			if r.Admit != proceed || len(r.Reasons) == 0 {
				rt.Errorf("%s, and element %d is %+v", strict.Directive, i, r)
			}
			if slices.Contains(r.Reasons, policy.CodeInvariantViolation) || slices.Contains(r.Reasons, policy.CodePolicyError) {
				rt.Errorf("element %d is %+v", i, r)
			}
			if r.Admit && h.Elements[i].Kind == "prior" && !slices.Contains(r.Obligations, "label_source") {
				rt.Errorf("a prior passes without its source: %+v", r)
			}
		}
	})
	if proceeded == 0 {
		t.Error("no hand-off of the small world proceeds, so the law says nothing")
	}
}
