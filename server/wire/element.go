package wire

import (
	"fmt"

	"earshot/policy"
)

// element reads one element, with the defaults of the contract. What it leaves out is left to its seal,
// where it has one.
func (r *reader) element() policy.Element {
	e := policy.Element{Kind: policy.KindFact}
	e.Unstated = policy.LabelShared | policy.LabelKind | policy.LabelSources
	id := false
	isObject := r.object(func(name string) {
		switch name {
		case "element_id":
			id = true
			r.must()
			e.ID = r.label()
		case "source_agent_id":
			e.Source = r.sourceAgent()
		case "is_shared":
			e.Unstated &^= policy.LabelShared
			e.Shared = r.flag(false)
		case "is_confidential":
			e.Confidential = r.confidentiality()
		case "kind":
			e.Unstated &^= policy.LabelKind
			e.Kind = r.label()
		case "digest":
			e.Digest = r.label()
		case "inherited_via":
			e.InheritedVia = r.hands()
		case "sources":
			e.Unstated &^= policy.LabelSources
			e.Sources = r.elementSources(1)
		case "seal":
			e.Seal = r.label()
		default:
			r.unknown()
		}
	})
	if isObject && !id {
		r.missing("element_id", "name the element")
	}
	if e.Seal == "" {
		e.Unstated = 0
	}
	return e
}

// elementSources reads a list of sources, depth levels below the element. They count against the bound
// on the sources of a request, like those of candidates.
func (r *reader) elementSources(depth int) []policy.ElementSource {
	if depth > policy.MaxSourceDepth && r.is('[') {
		r.skip()
		r.wrong("is nested deeper than %d levels", policy.MaxSourceDepth)
		return nil
	}
	var sources []policy.ElementSource
	r.list(func(int) {
		if r.sources++; r.sources > r.limits.Sources {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: r.items,
				Detail:  fmt.Sprintf("have more than %d sources together; split them over several requests", r.limits.Sources),
			})
			return
		}
		sources = append(sources, r.elementSource(depth))
	})
	return sources
}

// elementSource reads the label of something an element was derived from.
func (r *reader) elementSource(depth int) policy.ElementSource {
	var s policy.ElementSource
	id := false
	isObject := r.object(func(name string) {
		switch name {
		case "element_id":
			id = true
			r.must()
			s.ID = r.label()
		case "source_agent_id":
			s.Source = r.sourceAgent()
		case "is_shared":
			s.Shared = r.flag(false)
		case "is_confidential":
			s.Confidential = r.confidentiality()
		case "kind":
			s.Kind = r.label()
		case "digest":
			s.Digest = r.label()
		case "inherited_via":
			s.InheritedVia = r.hands()
		case "sources":
			s.Sources = r.elementSources(depth + 1)
		default:
			r.unknown()
		}
	})
	if isObject && !id {
		r.missing("element_id", "name the source")
	}
	return s
}

// sourceAgent reads the agent that introduced something; null and an empty text are no agent.
func (r *reader) sourceAgent() string {
	if r.null() {
		return ""
	}
	return r.text()
}

// hands reads the agents that had something, in their order.
func (r *reader) hands() []string {
	var hands []string
	r.list(func(i int) {
		if i == policy.MaxHands {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: cut(string(r.dec.StackPointer().Parent()), maxShown),
				Detail:  fmt.Sprintf("names more than %d agents", i),
			})
			return
		}
		hands = append(hands, r.text())
	})
	return hands
}
