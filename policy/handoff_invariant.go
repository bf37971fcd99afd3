package policy

import "slices"

// mayInherit is the engine's own reading of the strict profile, apart from the policy: it reports
// whether the element at position may be handed over with these obligations. Owners are the agents that
// elements are private to, by id. No policy can switch it off; it can only deny.
func (e *Engine) mayInherit(entry *HandoffEntry, position int, owners map[string][]string, obligations []string) bool {
	h := &entry.Request
	el := &h.Elements[position]
	labelled := slices.Contains(obligations, obligationLabelSource)
	switch {
	case !h.Boundary.Stated, keptFrom(owners[el.ID], h.Agent):
		return false
	case el.Seal == "" && e.sealRequired && el.Source != h.Agent:
		return false
	case el.Seal != "" && entry.Seals[position].Status != SealValid:
		return false
	case !e.mayComeThrough(h, el), !e.mayDerive(h, el, owners, labelled):
		return false
	case el.Source == "":
		one := []string{h.Boundary.SingleSource}
		return h.Inheritance.AllowUnattributed && el.Confidential == NotConfidential &&
			el.Kind != kindPrior && el.Kind != kindDirective &&
			(h.Boundary.SharedSubstrate == SubstrateSeparate || slices.Equal(h.Inheritance.AuthorizedAgents, one))
	case !h.foreign(el):
		return (el.Kind != kindPrior || labelled) && (el.Kind != kindDirective || sameWords(h, el))
	default:
		return labelled && el.Kind != kindDirective && h.mayKnow(el.Source, el.Shared, el.Confidential)
	}
}

// mayComeThrough reports whether the element of another came through few hands, all of them authorised.
func (e *Engine) mayComeThrough(h *Handoff, el *Element) bool {
	return el.Source == h.Agent ||
		len(el.InheritedVia) <= e.chainLimit && !slices.ContainsFunc(el.InheritedVia, h.stranger)
}

// mayDerive reports whether the heir may know everything the element was derived from.
func (e *Engine) mayDerive(h *Handoff, el *Element, owners map[string][]string, labelled bool) bool {
	if len(el.Sources) == 0 {
		return el.Kind != "summary" && el.Kind != "node" && el.Kind != "edge"
	}
	for i := range el.Sources {
		s := &el.Sources[i]
		switch {
		case keptFrom(owners[s.ID], h.Agent), s.Kind == kindPrior && !labelled:
			return false
		case s.Kind == kindDirective &&
			(el.Source != h.Agent || !sameWords(h, el) || s.Source != h.Agent || h.byOthers(s.InheritedVia)):
			return false
		case s.Source == h.Agent:
			continue
		case !h.mayKnow(s.Source, s.Shared, s.Confidential), slices.ContainsFunc(s.InheritedVia, h.stranger):
			return false
		case handsSince(h, el, s) > e.chainLimit:
			return false
		}
	}
	return true
}

// handsSince returns how many hands a source of the element has gone through.
func handsSince(h *Handoff, el *Element, s *ElementSource) int {
	switch el.Source {
	case h.Agent:
		return len(s.InheritedVia)
	case s.Source:
		return len(s.InheritedVia) + len(el.InheritedVia)
	default:
		return len(s.InheritedVia) + 1 + len(el.InheritedVia)
	}
}

// mayKnow reports whether the heir may inherit from this agent what it labelled like that.
func (h *Handoff) mayKnow(source string, shared bool, mark Confidentiality) bool {
	return source != "" && shared && slices.Contains(h.Inheritance.AuthorizedAgents, source) &&
		(h.Inheritance.AllowConfidential || mark == NotConfidential)
}

// stranger reports whether an agent is neither the heir nor one it may inherit from.
func (h *Handoff) stranger(agent string) bool {
	return agent != h.Agent && !slices.Contains(h.Inheritance.AuthorizedAgents, agent)
}

// byOthers reports whether one of these hands is not the heir's.
func (h *Handoff) byOthers(hands []string) bool {
	return slices.ContainsFunc(hands, func(hand string) bool { return hand != h.Agent })
}

// sameWords reports whether an element of the heir is what the heir introduced: no other had it, or its
// digest says which text it is.
func sameWords(h *Handoff, el *Element) bool { return el.Digest != "" || !h.byOthers(el.InheritedVia) }

// keptFrom reports whether something that these agents own is for others than this one.
func keptFrom(owners []string, agent string) bool {
	return len(owners) > 0 && !slices.Contains(owners, agent)
}

// foreign reports whether the element names an agent other than the one that inherits.
func (h *Handoff) foreign(el *Element) bool { return el.Source != "" && el.Source != h.Agent }
