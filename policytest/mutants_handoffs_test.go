package policytest_test

import (
	"slices"
	"strings"

	"earshot/policy"
)

// handoffMutant is a wrong design of the decision about hand-offs. The gates of the strict profile are
// Rego and have mutants of their own; what the reference profile does, and what the engine makes of both,
// is Go, so a wrong design of it hears another question or answers otherwise.
type handoffMutant struct {
	mistake string

	edits   []edit                     // of the bundle
	hears   func(*policy.Handoff)      // instead of the question
	answers func(*policy.HandoffEntry) // instead of the answer
}

// inReference are wrong designs of the reference profile.
func inReference() []handoffMutant {
	return []handoffMutant{
		{mistake: "what does not say whether it is confidential is not", hears: eachElement(func(el *policy.Element) {
			if el.Confidential == policy.ConfidentialityUnstated {
				el.Confidential = policy.NotConfidential
			}
		})},
		{mistake: "the gate of what is confidential is always skipped", hears: func(h *policy.Handoff) { h.Inheritance.AllowConfidential = true }},
		{mistake: "the gate of what is confidential cannot be switched off", hears: func(h *policy.Handoff) { h.Inheritance.AllowConfidential = false }},
		{mistake: "the gate of attribution is always skipped", hears: func(h *policy.Handoff) { h.Inheritance.AllowUnattributed = true }},
		{mistake: "the gate of attribution cannot be switched off", hears: func(h *policy.Handoff) { h.Inheritance.AllowUnattributed = false }},
		{mistake: "attribution is asked for before confidentiality", hears: func(h *policy.Handoff) {
			if slices.ContainsFunc(h.Elements, func(el policy.Element) bool { return el.Source == "" }) {
				h.Inheritance.AllowConfidential = true
			}
		}},
		{mistake: "whoever shares is authorised", hears: authorizeAll},
		{mistake: "what is not shared needs authorisation too", hears: eachElement(func(el *policy.Element) { el.Shared = true })},
		{mistake: "an instruction is treated as in the strict profile", hears: func(h *policy.Handoff) {
			if slices.ContainsFunc(h.Elements, func(el policy.Element) bool { return el.Kind == "directive" }) {
				h.Profile = policy.ProfileStrict
			}
		}},
		{mistake: "a boundary is asked for", hears: func(h *policy.Handoff) {
			if !h.Boundary.Stated {
				h.Profile = policy.ProfileStrict
			}
		}},
		{mistake: "an agent is counted once, however much it shares", answers: func(e *policy.HandoffEntry) {
			if e.Verdict == policy.AuthorizedSharing {
				e.Directive = "PROCEED: 1 authorized shared elements."
			}
		}},
		{mistake: "elements of other agents pass without a label", answers: unlabelled},
		{mistake: "a digest says by which hash it was made", answers: func(e *policy.HandoffEntry) { e.ManifestDigest = "sha256:" + e.ManifestDigest }},
		{mistake: "one digest stands for all that halts", answers: func(e *policy.HandoffEntry) {
			if strings.HasPrefix(e.Directive, "HALT: ") {
				e.ManifestDigest = strings.Repeat("0", 64)
			}
		}},
	}
}

// inStrict are wrong designs of the strict profile: what the engine hears, and the words of several gates.
func inStrict() []handoffMutant {
	const words = "earshot/handoff/elements/elements.rego"
	return []handoffMutant{
		{mistake: "the reference profile is the default", hears: func(h *policy.Handoff) { h.Profile = policy.ProfileReference }},
		{mistake: "a boundary that nobody stated is one", hears: func(h *policy.Handoff) { h.Boundary.Stated = true }},
		{mistake: "memory is kept apart unless it is said to be shared", hears: func(h *policy.Handoff) {
			if h.Boundary.SharedSubstrate == policy.SubstrateUnstated {
				h.Boundary.SharedSubstrate = policy.SubstrateSeparate
			}
		}},
		{mistake: "what is private is told to everybody", hears: func(h *policy.Handoff) { h.Boundary.PrivateTo = nil }},
		{mistake: "an agent's own element is private to nobody else", hears: func(h *policy.Handoff) {
			for agent, ids := range h.Boundary.PrivateTo {
				h.Boundary.PrivateTo[agent] = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
					return slices.ContainsFunc(h.Elements, func(el policy.Element) bool { return el.ID == id && el.Source == h.Agent })
				})
			}
		}},
		{mistake: "hands are not counted", hears: eachElement(func(el *policy.Element) { el.InheritedVia = nil })},
		{mistake: "a summary has nothing of its sources", hears: eachElement(func(el *policy.Element) {
			if len(el.Sources) > 0 {
				el.Kind, el.Sources = "fact", nil
			}
		})},
		{mistake: "an instruction is a fact", hears: eachElement(func(el *policy.Element) {
			if el.Kind == "directive" {
				el.Kind = "fact"
			}
		})},
		{mistake: "a prior is a fact", hears: eachElement(func(el *policy.Element) {
			if el.Kind == "prior" {
				el.Kind = "fact"
			}
		})},
		{mistake: "a seal is not looked at", hears: eachElement(func(el *policy.Element) { el.Seal = "" })},
		{mistake: "everything is shared", hears: eachElement(func(el *policy.Element) { el.Shared = true })},
		{mistake: "whoever shares is authorised", hears: authorizeAll},
		{mistake: "an agent may act for one whose name it begins with", hears: func(h *policy.Handoff) {
			for _, el := range h.Elements {
				if slices.ContainsFunc(h.Inheritance.AuthorizedAgents, func(agent string) bool { return strings.HasPrefix(el.Source, agent) }) {
					h.Inheritance.AuthorizedAgents = append(slices.Clone(h.Inheritance.AuthorizedAgents), el.Source)
				}
			}
		}},
		{mistake: "elements of other agents pass without a label", answers: unlabelled},
		{mistake: "a halt lets through what has no fault of its own", answers: func(e *policy.HandoffEntry) {
			for i := range e.Results {
				e.Results[i].Admit = e.Results[i].Admit || slices.Equal(e.Results[i].Reasons, []string{policy.CodeHandoffHalted})
			}
		}},
		{mistake: "hands of what the agent made itself count", edits: []edit{{words, "\tnot own\n\tsome hand", "\tsome hand"}}},
		{mistake: "hands of sources do not count", edits: []edit{{words, "\tsome source in foreign_sources\n", "\tsome source in foreign_sources\n\tsource.source == \"\"\n"}}},
		{mistake: "no source is asked for, whatever the caller asks", edits: []edit{{words, "\tinput.handoff.require_attribution == false\n", ""}}},
		{mistake: "something confidential may come from nobody", edits: []edit{{words, "\tinput.element.confidential == false\n", ""}}},
		{mistake: "an instruction may come from nobody", edits: []edit{{words, `{"directive", "prior"}`, `{"prior"}`}}},
		{mistake: "a prior may come from nobody", edits: []edit{{words, `{"directive", "prior"}`, `{"directive"}`}}},
		{mistake: "a single source may be one of several", edits: []edit{{words, "\tcount(input.handoff.authorized_agents) == 1\n", ""}}},
		{mistake: "a single source need not be authorised", edits: []edit{{words, "\tinput.handoff.boundary.single_source in input.handoff.authorized_agents\n", "\tinput.handoff.boundary.single_source != \"\"\n"}}},
		{mistake: "one permit is enough", edits: []edit{{"earshot/handoff/handoff.rego", "\tcount(_permits) > 0\n\tcount(_forbids) == 0\n", "\tcount(_permits) > 0\n"}}},
		{mistake: "one element is answered for all", edits: []edit{{"earshot/handoff/handoff.rego", "_forbids contains code if {\n\tsome code in halts\n}\n", ""}}},
	}
}

// eachElement is a mistake about every element.
func eachElement(mistake func(*policy.Element)) func(*policy.Handoff) {
	return func(h *policy.Handoff) {
		for i := range h.Elements {
			mistake(&h.Elements[i])
		}
	}
}

// authorizeAll: an agent that hands something over may.
func authorizeAll(h *policy.Handoff) {
	h.Inheritance.AuthorizedAgents = slices.Clone(h.Inheritance.AuthorizedAgents)
	for _, el := range h.Elements {
		if el.Source != "" {
			h.Inheritance.AuthorizedAgents = append(h.Inheritance.AuthorizedAgents, el.Source)
		}
	}
}

// unlabelled: nothing need be done with what passes.
func unlabelled(e *policy.HandoffEntry) {
	for i := range e.Results {
		e.Results[i].Obligations = nil
	}
}
