package policy

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// HandoffManifest returns the manifest digest of a hand-off in the strict profile: the SHA-256, in 64
// hex digits, of one JSON object in canonical form (RFC 8785). It commits to what was asked and to
// what was answered:
//
//	{"agent_id", "authorized_shared_agents": [sorted], "boundary": null or
//	 {"private_to": {agent: [sorted ids]}, "shared_substrate": null or boolean, "single_source": null or string},
//	 "elements": [{"admit", "digest", "element_id", "inherited_via": [agents in order], "is_confidential":
//	 null or boolean, "is_shared", "kind", "obligations", "reasons", "seal": null or string, "source_agent_id":
//	 null or string, "sources": [{"digest", "element_id", "inherited_via", "is_confidential", "is_shared",
//	 "kind": null or string, "source_agent_id"}]}], "policy": {"prohibit_confidential_inheritance",
//	 "require_attribution"}, "policy_revision", "profile", "verdict"}
//
// Labels are those that were decided on: a seal has filled in what the caller left out, and sources are
// flat, as a HandoffEntry has them. An element without a digest has null there. The seal is "sha256:" and the
// SHA-256, in 64 hex digits, of the text of the seal. The caller's id of an element is no commitment to
// its content: only a digest is.
func HandoffManifest(e *HandoffEntry) (string, error) {
	h := &e.Request
	m := manifest{
		Agent:    h.Agent,
		Agents:   h.Inheritance.AuthorizedAgents,
		Elements: make([]manifestElement, len(h.Elements)),
		Policy:   manifestPolicy{!h.Inheritance.AllowConfidential, !h.Inheritance.AllowUnattributed},
		Revision: e.PolicyRevision,
		Profile:  h.Profile,
		Verdict:  e.Verdict,
	}
	if h.Boundary.Stated {
		m.Boundary = &manifestBoundary{
			PrivateTo:    h.Boundary.PrivateTo,
			Substrate:    optional(h.Boundary.SharedSubstrate, SubstrateUnstated, SubstrateShared),
			SingleSource: optionalText(h.Boundary.SingleSource),
		}
	}
	for i := range h.Elements {
		el, r := &h.Elements[i], &e.Results[i]
		m.Elements[i] = manifestElement{
			Admit:        r.Admit,
			Digest:       optionalText(el.Digest),
			ID:           el.ID,
			Via:          el.InheritedVia,
			Confidential: optional(el.Confidential, ConfidentialityUnstated, Confidential),
			Shared:       el.Shared,
			Kind:         el.Kind,
			Obligations:  r.Obligations,
			Reasons:      r.Reasons,
			Source:       optionalText(el.Source),
			Sources:      manifestSources(el.Sources),
		}
		m.Elements[i].Seal = optionalText(el.Seal)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("write the manifest of a hand-off: %w", err)
	}
	canonical := jsontext.Value(text)
	if err := canonical.Canonicalize(); err != nil {
		return "", fmt.Errorf("write the manifest of a hand-off: %w", err)
	}
	return sha256Hex(string(canonical)), nil
}

// Nil lists and maps are empty ones here: that is how the package json writes them.
type manifest struct {
	Agent    string            `json:"agent_id"`
	Agents   []string          `json:"authorized_shared_agents"`
	Boundary *manifestBoundary `json:"boundary"`
	Elements []manifestElement `json:"elements"`
	Policy   manifestPolicy    `json:"policy"`
	Revision string            `json:"policy_revision"`
	Profile  Profile           `json:"profile"`
	Verdict  Verdict           `json:"verdict"`
}

type manifestBoundary struct {
	PrivateTo    map[string][]string `json:"private_to"`
	Substrate    *bool               `json:"shared_substrate"`
	SingleSource *string             `json:"single_source"`
}

type manifestElement struct {
	Admit        bool     `json:"admit"`
	Digest       *string  `json:"digest"`
	ID           string   `json:"element_id"`
	Via          []string `json:"inherited_via"`
	Confidential *bool    `json:"is_confidential"`
	Shared       bool     `json:"is_shared"`
	Kind         string   `json:"kind"`
	Obligations  []string `json:"obligations"`
	Reasons      []string `json:"reasons"`
	Seal         *string  `json:"seal"`
	Source       *string  `json:"source_agent_id"`

	Sources []manifestSource `json:"sources"`
}

type manifestSource struct {
	Digest       *string  `json:"digest"`
	ID           string   `json:"element_id"`
	Via          []string `json:"inherited_via"`
	Confidential *bool    `json:"is_confidential"`
	Shared       bool     `json:"is_shared"`
	Kind         *string  `json:"kind"`
	Source       *string  `json:"source_agent_id"`
}

func manifestSources(sources []ElementSource) []manifestSource {
	out := make([]manifestSource, len(sources))
	for i := range sources {
		s := &sources[i]
		out[i] = manifestSource{
			Digest:       optionalText(s.Digest),
			ID:           s.ID,
			Via:          s.InheritedVia,
			Confidential: optional(s.Confidential, ConfidentialityUnstated, Confidential),
			Shared:       s.Shared,
			Kind:         optionalText(s.Kind),
			Source:       optionalText(s.Source),
		}
	}
	return out
}

type manifestPolicy struct {
	ProhibitConfidential bool `json:"prohibit_confidential_inheritance"`
	RequireAttribution   bool `json:"require_attribution"`
}

// optional returns nil for the value that is open, and otherwise whether value is yes.
func optional[T comparable](value, open, yes T) *bool {
	if value == open {
		return nil
	}
	return new(value == yes)
}

func optionalText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
