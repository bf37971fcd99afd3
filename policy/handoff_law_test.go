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
			via := rapid.SliceOfN(agent, 0, 2)
			return policy.Element{
				InheritedVia: via.Draw(t, "hands"),
				Sources: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) policy.ElementSource {
					return policy.ElementSource{
						ID:           rapid.SampledFrom([]string{"e1", "e2", "s1", "s2"}).Draw(t, "id"),
						Source:       rapid.SampledFrom([]string{"agent:a", "agent:b", "agent:c", "agent:b", "agent:a", ""}).Draw(t, "source"),
						Shared:       rapid.IntRange(0, 3).Draw(t, "shared") > 0,
						Confidential: policy.Confidentiality(rapid.SampledFrom([]int{0, 1, 2, 2, 2}).Draw(t, "confidential")),
						Kind:         rapid.SampledFrom([]string{"", "fact", "fact", "prior", "directive"}).Draw(t, "kind"),
						InheritedVia: via.Draw(t, "hands"),
					}
				}), 0, 2).Draw(t, "sources"),
				Digest:       rapid.SampledFrom([]string{"", "sha256:" + strings.Repeat("0", 64)}).Draw(t, "digest"),
				ID:           rapid.SampledFrom([]string{"e1", "e2", "e3", "e4", "e5"}).Draw(t, "id"),
				Source:       rapid.SampledFrom(append([]string{""}, agents...)).Draw(t, "source"),
				Shared:       rapid.IntRange(0, 3).Draw(t, "shared") > 0,
				Confidential: policy.Confidentiality(rapid.SampledFrom([]int{0, 1, 2, 2, 2}).Draw(t, "confidential")),
				Kind:         rapid.SampledFrom([]string{"fact", "fact", "prior", "directive", "summary"}).Draw(t, "kind"),
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

// One hand or one source more, or a label that is narrower, never lets a hand-off go on that halted.
func TestMoreNeverAdmitsMore(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	agents := []string{"agent:a", "agent:b", "agent:c"}
	mark := []policy.Confidentiality{policy.Confidential, policy.ConfidentialityUnstated}
	proceeded := 0
	rapid.Check(t, func(rt *rapid.T) {
		h := handoff().Filter(func(h policy.Handoff) bool { return len(h.Elements) > 0 }).Draw(rt, "hand-off")
		more := h
		more.Elements = slices.Clone(h.Elements)
		el := &more.Elements[rapid.IntRange(0, len(h.Elements)-1).Draw(rt, "element")]
		el.Sources = slices.Clone(el.Sources)
		hand := rapid.SampledFrom(agents).Draw(rt, "hand")
		addHand := func(hands []string) []string {
			return slices.Insert(slices.Clone(hands), rapid.IntRange(0, len(hands)).Draw(rt, "place"), hand)
		}
		var source *policy.ElementSource
		if len(el.Sources) > 0 {
			source = &el.Sources[rapid.IntRange(0, len(el.Sources)-1).Draw(rt, "of the source")]
		}
		what := rapid.SampledFrom([]string{
			"hand", "source", "nested source", "not shared", "confidential", "hand of a source", "source not shared",
			"source confidential", "source of nobody", "source a directive", "no digest",
		}).Draw(rt, "what")
		switch {
		case what == "hand":
			el.InheritedVia = addHand(el.InheritedVia)
		case what == "not shared":
			el.Shared = false
		case what == "confidential":
			el.Confidential = rapid.SampledFrom(mark).Draw(rt, "mark")
		case what == "no digest":
			el.Digest = ""
		case source == nil && el.Kind == "summary":
			rt.Skip("a summary of nothing is denied, and one of something may pass")
		case what == "source":
			el.Sources = append(el.Sources, elementFrom("s3", hand))
		case source == nil:
			rt.Skip("the element has no source")
		case what == "nested source":
			source.Sources = []policy.ElementSource{elementFrom("s3", hand)}
		case what == "hand of a source":
			source.InheritedVia = addHand(source.InheritedVia)
		case what == "source not shared":
			source.Shared = false
		case what == "source confidential":
			source.Confidential = rapid.SampledFrom(mark).Draw(rt, "mark")
		case what == "source of nobody":
			source.Source = ""
		case what == "source a directive":
			source.Kind = "directive"
		}
		before, err := point.HandOff(t.Context(), h)
		if err != nil {
			rt.Fatal(err)
		}
		after, err := point.HandOff(t.Context(), more)
		if err != nil {
			rt.Fatal(err)
		}
		went, goes := strings.HasPrefix(before.Directive, "PROCEED: "), strings.HasPrefix(after.Directive, "PROCEED: ")
		if goes && !went {
			rt.Errorf("%s: %s before, %s after", what, before.Directive, after.Directive)
		}
		if goes {
			proceeded++
		}
	})
	if proceeded == 0 {
		t.Error("no changed hand-off proceeds, so the law says nothing")
	}
}
