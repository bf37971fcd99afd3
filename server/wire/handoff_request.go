package wire

import "earshot/policy"

// HandoffRequest is the body of a request for a hand-off, with every default written out.
// DecodeHandoff of its JSON gives a hand-off with the same normal form.
type HandoffRequest struct {
	AgentID                string        `json:"agent_id"`
	Elements               []Element     `json:"elements"`
	AuthorizedSharedAgents []string      `json:"authorized_shared_agents"`
	Policy                 HandoffPolicy `json:"policy"`
	Boundary               *Boundary     `json:"boundary,omitzero"` // nil where it is not stated
	Profile                string        `json:"profile"`
}

// HandoffPolicy is what may never be inherited.
type HandoffPolicy struct {
	ProhibitConfidentialInheritance bool `json:"prohibit_confidential_inheritance"`
	RequireAttribution              bool `json:"require_attribution"`
}

// Boundary is what the caller states about the memory that agents have in common.
type Boundary struct {
	SharedSubstrate *bool               `json:"shared_substrate,omitzero"`
	SingleSource    string              `json:"single_source,omitzero"`
	PrivateTo       map[string][]string `json:"private_to"`
}

// EncodeHandoffRequest returns h in the form of the contract.
func EncodeHandoffRequest(h *policy.Handoff) HandoffRequest {
	out := HandoffRequest{
		AgentID:                h.Agent,
		Elements:               make([]Element, len(h.Elements)),
		AuthorizedSharedAgents: full(h.Inheritance.AuthorizedAgents),
		Policy: HandoffPolicy{
			ProhibitConfidentialInheritance: !h.Inheritance.AllowConfidential,
			RequireAttribution:              !h.Inheritance.AllowUnattributed,
		},
		Profile: string(h.Profile),
	}
	for i := range h.Elements {
		out.Elements[i] = encodeElement(&h.Elements[i])
	}
	if b := &h.Boundary; b.Stated {
		out.Boundary = &Boundary{SingleSource: b.SingleSource, PrivateTo: b.PrivateTo}
		if b.SharedSubstrate != policy.SubstrateUnstated {
			out.Boundary.SharedSubstrate = new(b.SharedSubstrate == policy.SubstrateShared)
		}
	}
	return out
}
