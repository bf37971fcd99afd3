package receipt_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// TestLaunderingIsSigned hands on a confidential element as a summary of a summary, by the third agent to
// a fourth. It is denied, and the receipts say so and name the first source and every hand.
func TestLaunderingIsSigned(t *testing.T) {
	salaries := policy.ElementSource{ID: "salaries", Source: "agent:personnel", Kind: "document", Shared: true, Confidential: policy.Confidential}
	minutes := policy.ElementSource{ID: "minutes", Source: "agent:scribe", Kind: "summary", Shared: true,
		Confidential: policy.NotConfidential, Sources: []policy.ElementSource{salaries}}
	decision, err := newPoint(t).HandOff(t.Context(), policy.Handoff{
		Agent:       "agent:web",
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:personnel", "agent:scribe", "agent:press"}},
		Boundary:    policy.Boundary{Stated: true, SharedSubstrate: policy.SubstrateShared},
		Elements: []policy.Element{{
			ID: "news", Source: "agent:press", Kind: "summary", Shared: true, Confidential: policy.NotConfidential,
			Sources: []policy.ElementSource{minutes},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := issuer(t, nil).Handoff(t.Context(), decision)
	if err != nil {
		t.Fatal(err)
	}
	all := verifyAll(t, set)

	bleed := all[3].Statement.Predicate.(*receipt.Bleed)
	if bleed.Verdict != policy.BleedDetected || bleed.Directive != "HALT" || len(bleed.Findings) != 1 ||
		!slices.Contains(bleed.Findings[0].Reasons, "confidential_from_other_agent") || bleed.Findings[0].Severity != "high" {
		t.Errorf("the finding is %+v", bleed)
	}
	if rules := all[2].Statement.Predicate.(*receipt.InheritanceRules); rules.Permitted ||
		!slices.Equal(rules.From, []receipt.Name{"agent:personnel", "agent:press", "agent:scribe"}) {
		t.Errorf("the rules are %+v", rules)
	}
	var hands [][]receipt.Name
	for _, s := range all[1].Statement.Predicate.(*receipt.Attributions).Attributions[0].Sources {
		hands = append(hands, append([]receipt.Name{s.IntroducedBy}, s.InheritedVia...))
	}
	want := [][]receipt.Name{{"agent:scribe"}, {"agent:personnel", "agent:scribe"}}
	if diff := cmp.Diff(want, hands); diff != "" {
		t.Errorf("the sources and their hands (-want +got)\n%s", diff)
	}
}
