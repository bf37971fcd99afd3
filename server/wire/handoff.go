package wire

import (
	"fmt"

	"earshot/policy"
)

// DecodeHandoff reads the body of a request for a hand-off. An element that is wrong in itself refuses
// the request, since a hand-off halts as a whole. The error is an *Error; nothing of the request is
// then to be used.
//
// The request still needs the checks of policy.Point, which look at names.
func DecodeHandoff(body []byte, limits Limits) (policy.Handoff, error) {
	return decode(body, limits, (*reader).handoff)
}

func (r *reader) handoff() policy.Handoff {
	r.items = "/elements"
	h := policy.Handoff{Profile: policy.ProfileStrict}
	var agent, elements bool
	r.object(func(name string) {
		switch name {
		case "agent_id":
			agent = true
			r.must()
			h.Agent = r.label()
		case "elements":
			elements = true
			r.must()
			h.Elements = r.elements()
		case "authorized_shared_agents":
			h.Inheritance.AuthorizedAgents = r.principals()
		case "policy":
			r.handoffPolicy(&h.Inheritance)
		case "boundary":
			if !r.null() { // null is as absent: not stated
				h.Boundary = r.boundary()
			}
		case "profile":
			h.Profile = policy.Profile(r.label())
		default:
			r.unknown()
		}
	})
	if !agent {
		r.missing("agent_id", "name the agent that inherits")
	}
	if !elements {
		r.missing("elements", "send an empty list where there are none")
	}
	return h
}

// handoffPolicy reads the switches. What is left out is forbidden.
func (r *reader) handoffPolicy(in *policy.Inheritance) {
	r.object(func(name string) {
		switch name {
		case "prohibit_confidential_inheritance":
			in.AllowConfidential = !r.flag(true)
		case "require_attribution":
			in.AllowUnattributed = !r.flag(true)
		default:
			r.unknown()
		}
	})
}

func (r *reader) elements() []policy.Element {
	elements := []policy.Element{}
	r.list(func(i int) {
		if i == r.limits.Candidates {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: r.items,
				Detail:  fmt.Sprintf("are more than %d; split them over several requests", i),
			})
			return
		}
		elements = append(elements, r.element())
	})
	return elements
}

// boundary reads what the caller states about the memory that agents have in common. An object without
// members states nothing.
func (r *reader) boundary() policy.Boundary {
	var b policy.Boundary
	r.object(func(name string) {
		b.Stated = true
		switch name {
		case "shared_substrate":
			b.SharedSubstrate = policy.SubstrateSeparate
			if r.flag(true) {
				b.SharedSubstrate = policy.SubstrateShared
			}
		case "single_source":
			b.SingleSource = r.label()
		case "private_to":
			b.PrivateTo = r.privateTo()
		default:
			r.unknown()
		}
	})
	return b
}

// privateTo reads lists of element ids by agent. They are bounded together.
func (r *reader) privateTo() map[string][]string {
	private := map[string][]string{}
	total := 0
	r.object(func(agent string) {
		ids := r.principals() // A list of strings; which can be ids is for package policy to say.
		private[agent] = ids
		if total += 1 + len(ids); total > r.limits.Members {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: "/boundary/private_to",
				Detail:  fmt.Sprintf("has more than %d names", r.limits.Members),
			})
		}
	})
	return private
}
