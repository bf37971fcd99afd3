package receipt

import (
	"fmt"
	"slices"
	"time"

	"earshot/policy"
)

// Attributions is the predicate of the statement Provenance. Its subjects are the elements in the order
// of the attributions; where there are none, the context.
type Attributions struct {
	Head
	Attributions []Attribution `json:"attributions"`
}

// Attribution says where one element comes from.
type Attribution struct {
	Element Commitment `json:"element"`

	// IntroducedBy is absent where nobody is named.
	IntroducedBy Name `json:"introduced_by,omitzero"`

	// InheritedVia are the agents through whose hands it came since, in order.
	InheritedVia []Name `json:"inherited_via"`

	// RecordedAt is absent where it is not known.
	RecordedAt time.Time `json:"recorded_at,omitzero"`

	// Sources are what it was derived from, nested ones after the one they belong to.
	Sources []SourceAttribution `json:"sources"`

	// Confidential is null where it was not stated, which counts as confidential between agents.
	Confidential *bool `json:"confidential"`

	Shared bool   `json:"shared"`
	Kind   string `json:"kind"`

	// Basis is sealed where a seal of this service says so, and stated where the caller does.
	Basis string `json:"basis"`
}

// SourceAttribution is one source of an element.
type SourceAttribution struct {
	Source Commitment `json:"source"`

	// IntroducedBy is absent where nobody is named.
	IntroducedBy Name `json:"introduced_by,omitzero"`

	// InheritedVia are the agents through whose hands it came to the one that derived the element.
	InheritedVia []Name `json:"inherited_via"`
}

func attributionsOf(m *matter) (*Attributions, []Subject) {
	p := &Attributions{Head: m.head, Attributions: []Attribution{}}
	var subject []Subject
	for i := range m.elements {
		e := &m.elements[i]
		subject = append(subject, e.commitment.subject())
		p.Attributions = append(p.Attributions, Attribution{
			Element: e.commitment, IntroducedBy: e.introducedBy, InheritedVia: e.inheritedVia,
			RecordedAt: e.recordedAt.UTC(), Sources: e.sources, Confidential: e.confidential,
			Shared: e.shared, Kind: e.kind, Basis: e.basis,
		})
	}
	// in-toto asks for at least one subject.
	if len(subject) == 0 {
		subject = []Subject{{subjectManifest, Digest{m.manifest}}}
	}
	return p, subject
}

// Name returns Provenance.
func (p *Attributions) Name() string { return Provenance }

// Sentences returns who introduced how many elements.
func (p *Attributions) Sentences() []string {
	by, derived, handed, sealed := map[string]int{}, 0, 0, 0
	for _, a := range p.Attributions {
		by[string(a.IntroducedBy)]++
		if len(a.Sources) > 0 {
			derived++
		}
		if len(a.InheritedVia) > 0 {
			handed++
		}
		if a.Basis == basisSealed {
			sealed++
		}
	}
	all := []string{fmt.Sprintf("Of %s, %d derived from sources, %d came through other agents, %d under a seal.",
		counted(len(p.Attributions), "element"), derived, handed, sealed)}
	for _, agent := range sortedKeys(by) {
		if agent == "" {
			all = append(all, fmt.Sprintf("Introduced by nobody: %d.", by[agent]))
			continue
		}
		all = append(all, fmt.Sprintf("Introduced by %s: %d.", agent, by[agent]))
	}
	return all
}

func (p *Attributions) check(subject []Subject) error {
	if len(p.Attributions) == 0 {
		return oneSubject(subjectManifest, subject)
	}
	if len(subject) != len(p.Attributions) {
		return wrong("/subject", "must be the elements of the attributions")
	}
	for i, a := range p.Attributions {
		place := fmt.Sprintf("/attributions/%d", i)
		switch {
		case !a.Element.valid():
			return wrong(place+"/element", "must be a commitment")
		case subject[i] != a.Element.subject():
			return wrong(fmt.Sprintf("/subject/%d", i), "must be the element of the attribution")
		case a.Kind != kindUnknown && !slices.Contains(policy.Kinds(), a.Kind):
			return wrong(place+"/kind", "must be a kind of item")
		case a.RecordedAt.Location() != time.UTC:
			return wrong(place+"/recorded_at", "must be a time in UTC")
		case a.Basis != basisSealed && a.Basis != basisStated:
			return wrong(place+"/basis", "must be %s or %s", basisSealed, basisStated)
		}
		if err := firstOf(checkOptional(place+"/introduced_by", a.IntroducedBy), checkNames(place+"/inherited_via", a.InheritedVia)); err != nil {
			return err
		}
		for j, s := range a.Sources {
			place := fmt.Sprintf("%s/sources/%d", place, j)
			if !s.Source.valid() {
				return wrong(place+"/source", "must be a commitment")
			}
			if err := firstOf(checkOptional(place+"/introduced_by", s.IntroducedBy), checkNames(place+"/inherited_via", s.InheritedVia)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Attributions) committed(see func(string, Commitment)) {
	for _, a := range p.Attributions {
		see(discloseElement, a.Element)
		seeNames(see, append([]Name{a.IntroducedBy}, a.InheritedVia...))
		for _, s := range a.Sources {
			see(discloseSource, s.Source)
			seeNames(see, append([]Name{s.IntroducedBy}, s.InheritedVia...))
		}
	}
}
