package receipt

import (
	"slices"
	"time"

	"earshot/policy"
)

// element is one candidate, or one element of a hand-off.
type element struct {
	commitment   Commitment
	id           string
	introducedBy Name
	inheritedVia []Name
	sources      []SourceAttribution
	shared       bool
	confidential *bool
	kind         string
	basis        string
	recordedAt   time.Time
	admit        bool
	reasons      []string
}

// elementLabel is what the commitment of an element stands for.
type elementLabel struct {
	Channel  string `json:"channel,omitzero"`
	Digest   string `json:"digest,omitzero"`
	ID       string `json:"id,omitzero"`
	Position int    `json:"position"`
}

// sourceLabel is what the commitment of a source stands for.
type sourceLabel struct {
	Digest string `json:"digest,omitzero"`
	ID     string `json:"id,omitzero"`
}

// sources names what an element was derived from, without the labels of it.
func (v *vault) sources(sources []policy.Source) []SourceAttribution {
	all := []SourceAttribution{}
	for i := range sources {
		s := &sources[i]
		all = append(all, SourceAttribution{v.commit(discloseSource, sourceLabel{ID: s.ID}), v.name(s.Agent), []Name{}})
		all = append(all, v.sources(s.Sources)...)
	}
	return all
}

func (v *vault) elementSources(sources []policy.ElementSource) []SourceAttribution {
	all := []SourceAttribution{}
	for i := range sources {
		s := &sources[i]
		all = append(all, SourceAttribution{
			v.commit(discloseSource, sourceLabel{s.Digest, s.ID}), v.name(s.Source), v.nameAll(s.InheritedVia),
		})
		all = append(all, v.elementSources(s.Sources)...)
	}
	return all
}

// The bases of an attribution.
const (
	// basisSealed: a seal of this service says so.
	basisSealed = "sealed"

	// basisStated: the caller says so.
	basisStated = "stated"
)

func basisOf(seals map[int]policy.SealCheck, position int) string {
	if seals[position].Status == policy.SealValid {
		return basisSealed
	}
	return basisStated
}

// kindUnknown stands for a kind that the caller made up, whose candidate is denied.
const kindUnknown = "unknown"

func kindOf(kind string) string {
	if slices.Contains(policy.Kinds(), kind) {
		return kind
	}
	return kindUnknown
}

func confidential(c policy.Confidentiality) *bool {
	if c == policy.ConfidentialityUnstated {
		return nil
	}
	return new(c == policy.Confidential)
}
