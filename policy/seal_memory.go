package policy

import (
	"slices"
	"sync/atomic"
)

// sealMemory remembers which labels were found to have the digests of one seal, so that the same labels
// need not be hashed again. It holds names that callers stated beside the seal, as long as whoever keeps
// the Sealed does.
type sealMemory struct {
	digest   string // of the text of the seal, as sealDigest has it
	audience atomic.Pointer[Audience]
	sources  atomic.Pointer[[]Source]
}

// Remember has all copies of s that are made from now on remember what fits it. Seal is its text.
func (s *Sealed) Remember(seal string) { s.memory = &sealMemory{digest: sealDigest(seal)} }

// audienceIs reports whether an audience has a digest in the form of AudienceDigest.
func (m *sealMemory) audienceIs(a Audience, digest string) bool {
	if m != nil {
		if known := m.audience.Load(); known != nil && known.Kind == a.Kind && slices.Equal(known.Members, a.Members) {
			return true
		}
	}
	if AudienceDigest(a) != digest {
		return false
	}
	if m != nil {
		m.audience.Store(&Audience{Kind: a.Kind, Members: slices.Clone(a.Members)})
	}
	return true
}

// sourcesAre reports whether sources have a digest in the form of SourcesDigest.
func (m *sealMemory) sourcesAre(sources []Source, digest string) bool {
	if m != nil {
		if known := m.sources.Load(); known != nil && slices.EqualFunc(*known, sources, sameSealedSource) {
			return true
		}
	}
	if SourcesDigest(sources) != digest {
		return false
	}
	if m != nil {
		kept := slices.Clone(sources)
		for i := range kept {
			kept[i].Audience.Members = slices.Clone(kept[i].Audience.Members)
		}
		m.sources.Store(&kept)
	}
	return true
}

// sameSealedSource reports whether two flat sources have one digest. The state is no part of it.
func sameSealedSource(a, b Source) bool {
	return a.ID == b.ID && a.Tenant == b.Tenant && a.Agent == b.Agent && a.Confidential == b.Confidential &&
		a.ExpiresAt.Equal(b.ExpiresAt) && a.Audience.Kind == b.Audience.Kind &&
		slices.Equal(a.Audience.Members, b.Audience.Members) && len(a.Sources) == 0 && len(b.Sources) == 0
}
