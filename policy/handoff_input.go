package policy

import "github.com/open-policy-agent/opa/v1/ast"

// handoffInput builds what the policy sees of one hand-off. Every field is always there.
type handoffInput struct {
	entry   *HandoffEntry
	handoff *ast.Term
	owners  map[string][]string // by element id
}

func newHandoffInput(e *HandoffEntry) *handoffInput {
	h := &e.Request
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
		entry: e,
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
	el := &in.entry.Request.Elements[position]
	sources := make([]*ast.Term, len(el.Sources))
	for i := range el.Sources {
		sources[i] = in.source(&el.Sources[i])
	}
	return object("handoff", in.handoff, "element", object(
		"id", ast.StringTerm(el.ID),
		"source", ast.StringTerm(el.Source),
		"shared", ast.InternedTerm(el.Shared),
		"confidential", el.Confidential.term(),
		"kind", ast.StringTerm(el.Kind),
		"digest", ast.StringTerm(el.Digest),
		"inherited_via", list(el.InheritedVia),
		"sources", ast.ArrayTerm(sources...),
		"seal", ast.StringTerm(in.entry.sealStatus(position)),
		"private_to", list(sortedSet(in.owners[el.ID])),
	)).Value
}

func (in *handoffInput) source(s *ElementSource) *ast.Term {
	return object(
		"id", ast.StringTerm(s.ID),
		"source", ast.StringTerm(s.Source),
		"shared", ast.InternedTerm(s.Shared),
		"confidential", s.Confidential.term(),
		"kind", ast.StringTerm(s.Kind),
		"digest", ast.StringTerm(s.Digest),
		"inherited_via", list(s.InheritedVia),
		"private_to", list(sortedSet(in.owners[s.ID])),
	)
}
