package decisionlog

import (
	"maps"
	"slices"

	"earshot/policy"
)

func writeElement(f *form, e *policy.Element) {
	f.document(elementDocument, func(f *form) {
		// The index reads the id, so it stands first.
		f.name(e.ID)
		f.name(e.Source)
		f.flag(e.Shared)
		f.number(uint64(e.Confidential))
		f.name(e.Kind)
		f.name(e.Digest)
		f.set(e.InheritedVia)
		writeElementSources(f, e.Sources)
		f.name(e.Seal)
	})
}

// writeElementSources writes each source in full: names and lists of hands are stored once anyway.
func writeElementSources(f *form, sources []policy.ElementSource) {
	writeList(f, sources, func(s policy.ElementSource) {
		f.name(s.ID)
		f.name(s.Source)
		f.flag(s.Shared)
		f.number(uint64(s.Confidential))
		f.name(s.Kind)
		f.name(s.Digest)
		f.set(s.InheritedVia)
		writeElementSources(f, s.Sources)
	})
}

func (v *values) element(handle uint64) policy.Element {
	r := v.document(handle, elementDocument)
	return finish(v, r, policy.Element{
		ID:           v.name(r.handle()),
		Source:       v.name(r.handle()),
		Shared:       r.flag(),
		Confidential: policy.Confidentiality(r.small()),
		Kind:         v.name(r.handle()),
		Digest:       v.name(r.handle()),
		InheritedVia: v.set(r.handle()),
		Sources:      v.elementSources(r),
		Seal:         v.name(r.handle()),
	})
}

func (v *values) elementSources(r *reader) []policy.ElementSource {
	return readList(r, func() policy.ElementSource {
		return policy.ElementSource{
			ID:           v.name(r.handle()),
			Source:       v.name(r.handle()),
			Shared:       r.flag(),
			Confidential: policy.Confidentiality(r.small()),
			Kind:         v.name(r.handle()),
			Digest:       v.name(r.handle()),
			InheritedVia: v.set(r.handle()),
			Sources:      v.elementSources(r),
		}
	})
}

// writeBoundary writes the agents in their order and each of their lists as a set of its own.
func writeBoundary(f *form, b policy.Boundary) {
	f.document(boundaryDocument, func(f *form) {
		f.flag(b.Stated)
		f.number(uint64(b.SharedSubstrate))
		f.name(b.SingleSource)
		f.flag(b.PrivateTo == nil)
		f.number(uint64(len(b.PrivateTo)))
		for _, agent := range slices.Sorted(maps.Keys(b.PrivateTo)) {
			f.name(agent)
			f.set(b.PrivateTo[agent])
		}
	})
}

func (v *values) boundary(handle uint64) policy.Boundary {
	r := v.document(handle, boundaryDocument)
	b := policy.Boundary{
		Stated:          r.flag(),
		SharedSubstrate: policy.Substrate(r.small()),
		SingleSource:    v.name(r.handle()),
	}
	none, n := r.flag(), r.count()
	if !none {
		b.PrivateTo = make(map[string][]string, n)
	}
	for range n {
		agent, ids := r.handle(), r.handle()
		if none || r.err != nil {
			r.fail("a boundary has lists where it has none")
			break
		}
		b.PrivateTo[v.name(agent)] = v.set(ids)
	}
	return finish(v, r, b)
}
