package policy

import "github.com/open-policy-agent/opa/v1/ast"

// handoffInput builds what the policy sees of one hand-off. Every field is always there.
type handoffInput struct {
	request *Handoff
	handoff *ast.Term
	owners  map[string][]string // by element id
}

func newHandoffInput(h *Handoff) *handoffInput {
	substrate := ast.NullTerm()
	if h.Boundary.SharedSubstrate != SubstrateUnstated {
		substrate = ast.InternedTerm(h.Boundary.SharedSubstrate == SubstrateShared)
	}
	owners := map[string][]string{}
	for agent, ids := range h.Boundary.PrivateTo {
		for _, id := range ids {
			owners[id] = append(owners[id], agent)
		}
	}
	return &handoffInput{
		request: h,
		handoff: object(
			"agent", ast.StringTerm(h.Agent),
			"authorized_agents", list(h.Inheritance.AuthorizedAgents),
			"prohibit_confidential", ast.InternedTerm(!h.Inheritance.AllowConfidential),
			"require_attribution", ast.InternedTerm(!h.Inheritance.AllowUnattributed),
			"boundary", object(
				"stated", ast.InternedTerm(h.Boundary.Stated),
				"shared_substrate", substrate,
				"single_source", ast.StringTerm(h.Boundary.SingleSource),
			),
		),
		owners: owners,
	}
}

// handoffOnly returns the input without an element, for questions about the hand-off as a whole.
func (in *handoffInput) handoffOnly() ast.Value { return object("handoff", in.handoff).Value }

// element returns the input for the element at position.
func (in *handoffInput) element(position int) ast.Value {
	el := &in.request.Elements[position]
	return object("handoff", in.handoff, "element", object(
		"id", ast.StringTerm(el.ID),
		"source", ast.StringTerm(el.Source),
		"shared", ast.InternedTerm(el.Shared),
		"confidential", el.Confidential.term(),
		"kind", ast.StringTerm(el.Kind),
		"digest", ast.StringTerm(el.Digest),
		"private_to", list(sortedSet(in.owners[el.ID])),
	)).Value
}
