package wire

import "earshot/policy"

// Element is the label of one piece of a context.
type Element struct {
	ElementID      string  `json:"element_id"`
	SourceAgentID  *string `json:"source_agent_id"`    // null: no source
	IsShared       *bool   `json:"is_shared,omitzero"` // nil, as Kind and Sources: left to the seal
	IsConfidential *bool   `json:"is_confidential,omitzero"`
	Kind           *string `json:"kind,omitzero"`
	Digest         string  `json:"digest,omitzero"`

	InheritedVia []string        `json:"inherited_via,omitempty"`
	Sources      []ElementSource `json:"sources,omitzero"`
	Seal         string          `json:"seal,omitzero"`
}

// ElementSource is the label of something an element was derived from.
type ElementSource struct {
	ElementID      string          `json:"element_id"`
	SourceAgentID  *string         `json:"source_agent_id"` // null: no source
	IsShared       bool            `json:"is_shared"`
	IsConfidential *bool           `json:"is_confidential,omitzero"`
	Kind           string          `json:"kind,omitzero"`
	Digest         string          `json:"digest,omitzero"`
	InheritedVia   []string        `json:"inherited_via,omitempty"`
	Sources        []ElementSource `json:"sources,omitempty"`
}

func encodeElement(e *policy.Element) Element {
	out := Element{
		ElementID:      e.ID,
		SourceAgentID:  agentForm(e.Source),
		IsShared:       &e.Shared,
		IsConfidential: markForm(e.Confidential),
		Kind:           &e.Kind,
		Digest:         e.Digest,
		InheritedVia:   e.InheritedVia,
		Seal:           e.Seal,
	}
	if len(e.Sources) > 0 || e.Seal != "" {
		out.Sources = encodeElementSources(e.Sources)
	}
	if e.Unstated&policy.LabelShared != 0 {
		out.IsShared = nil
	}
	if e.Unstated&policy.LabelKind != 0 {
		out.Kind = nil
	}
	if e.Unstated&policy.LabelSources != 0 {
		out.Sources = nil
	}
	return out
}

func encodeElementSources(sources []policy.ElementSource) []ElementSource {
	out := make([]ElementSource, len(sources))
	for i := range sources {
		s := &sources[i]
		out[i] = ElementSource{
			ElementID:      s.ID,
			SourceAgentID:  agentForm(s.Source),
			IsShared:       s.Shared,
			IsConfidential: markForm(s.Confidential),
			Kind:           s.Kind,
			Digest:         s.Digest,
			InheritedVia:   s.InheritedVia,
			Sources:        encodeElementSources(s.Sources),
		}
	}
	return out
}

func agentForm(agent string) *string {
	if agent == "" {
		return nil
	}
	return &agent
}
