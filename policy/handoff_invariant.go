package policy

import "slices"

// mayInherit is the engine's own reading of the strict profile, apart from the policy: it reports
// whether an element may be handed over with these obligations. Owners are the agents that it is
// private to. No policy can switch it off; it can only deny.
func mayInherit(h *Handoff, el *Element, owners, obligations []string) bool {
	b := &h.Boundary
	if !b.Stated || len(owners) > 0 && !slices.Contains(owners, h.Agent) {
		return false
	}
	labelled := slices.Contains(obligations, obligationLabelSource)
	switch {
	case el.Source == "":
		one := []string{b.SingleSource}
		return h.Inheritance.AllowUnattributed && el.Confidential == NotConfidential &&
			el.Kind != kindPrior && el.Kind != kindDirective &&
			(b.SharedSubstrate == SubstrateSeparate || slices.Equal(h.Inheritance.AuthorizedAgents, one))
	case !h.foreign(el):
		return el.Kind != kindPrior || labelled
	default:
		return el.Shared && labelled && el.Kind != kindDirective &&
			slices.Contains(h.Inheritance.AuthorizedAgents, el.Source) &&
			(h.Inheritance.AllowConfidential || el.Confidential == NotConfidential)
	}
}

// foreign reports whether the element names an agent other than the one that inherits.
func (h *Handoff) foreign(el *Element) bool { return el.Source != "" && el.Source != h.Agent }
