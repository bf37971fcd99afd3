package wire

import (
	"bytes"

	"earshot/policy"
)

// candidate reads one candidate into c, which has the defaults that reader has.
func (s *scanner) candidate(c *policy.Candidate) {
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberID:
			c.ID = s.rare()
		case memberAudience:
			c.Audience = s.audience()
		case memberAudienceBasis:
			c.AudienceBasis = s.value(m)
		case memberTenant:
			c.Tenant = s.label(m)
		case memberChannel:
			c.Channel = s.label(m)
		case memberAgent:
			c.Agent = s.label(m)
		case memberShared:
			c.Shared = s.flag()
		case memberConfidential:
			c.Confidential = s.confidentiality()
		case memberKind:
			c.Kind = s.value(m)
		case memberSources:
			c.Sources = s.sourceList(1)
		case memberState:
			c.State = s.value(m)
		case memberRecordedAt:
			c.RecordedAt = s.instant()
		case memberExpiresAt:
			c.ExpiresAt = s.instant()
		case memberDigest:
			c.Digest = s.rare()
		case memberSeal:
			c.Seal = s.rare()
		case memberStore:
			c.Store = s.label(m)
		case memberAttributes:
			c.Attributes = s.free()
		default:
			s.stop()
		}
	}
	s.need(seen, memberID)
	if seen&memberAudience == 0 && len(c.Sources) > 0 {
		c.Audience.Kind = policy.AudienceInherited
	}
	if c.Seal != "" {
		c.Unstated = unstated(seen)
	}
}

// unstated returns the labels that a sealed candidate with these members leaves to its seal.
func unstated(seen member) (out policy.Labels) {
	for _, label := range []struct {
		member member
		left   policy.Labels
	}{
		{memberAudience, policy.LabelAudience},
		{memberAudienceBasis, policy.LabelAudienceBasis},
		{memberShared, policy.LabelShared},
		{memberKind, policy.LabelKind},
		{memberSources, policy.LabelSources},
	} {
		if seen&label.member == 0 {
			out |= label.left
		}
	}
	return out
}

// maxScanDepth is how deep ordinary sources are nested.
const maxScanDepth = 4

// sourceList reads a list of sources, depth levels below the candidate.
func (s *scanner) sourceList(depth int) []policy.Source {
	if depth > maxScanDepth {
		s.stop()
		return nil
	}
	var sources []policy.Source
	s.open('[')
	for s.next(']', sources == nil) {
		if s.sources++; s.sources > s.limits.Sources {
			s.stop()
			return nil
		}
		sources = append(sources, s.source(depth))
	}
	return sources
}

// source reads the label of something an item was derived from.
func (s *scanner) source(depth int) policy.Source {
	source := policy.Source{State: policy.StateLive}
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberID:
			source.ID = s.rare()
		case memberAudience:
			source.Audience = s.audience()
		case memberTenant:
			source.Tenant = s.label(m)
		case memberAgent:
			source.Agent = s.label(m)
		case memberConfidential:
			source.Confidential = s.confidentiality()
		case memberState:
			source.State = s.value(m)
		case memberExpiresAt:
			source.ExpiresAt = s.instant()
		case memberSources:
			source.Sources = s.sourceList(depth + 1)
		default:
			s.stop()
		}
	}
	if seen&memberAudience == 0 && len(source.Sources) > 0 {
		source.Audience.Kind = policy.AudienceInherited
	}
	return source
}

// audience reads who was present.
func (s *scanner) audience() policy.Audience {
	switch {
	case s.peek() == '[':
		return s.list()
	case s.word("null"):
	case s.word(`"public"`):
		return policy.Everybody()
	case s.word(`"tenant"`):
		return policy.WholeTenant()
	default:
		s.stop()
	}
	return policy.Audience{}
}

// list reads an audience that is a list, or finds it among those that were read before.
//
// What is looked up reaches to the first closing bracket. Only whole lists are kept, and nothing but
// a list's own bytes says where it ends: so bytes that equal those of a list that is kept are that list.
// A bracket inside a name cuts the span short; then it equals none, and the list is read.
func (s *scanner) list() policy.Audience {
	span := s.data[s.at:]
	span = span[:bytes.IndexByte(span, ']')+1]
	k := s.audiences.keyOf(span)
	if a, ok := s.audiences.get(k, span); ok {
		s.at += len(span)
		return a
	}
	start := s.at
	s.names = s.principals(s.names[:0])
	a := policy.Principals(s.names...)
	if !s.odd && s.at == start+len(span) {
		s.audiences.add(k, span, a)
	}
	return a
}

// confidentiality reads the mark.
func (s *scanner) confidentiality() policy.Confidentiality {
	if s.flag() {
		return policy.Confidential
	}
	return policy.NotConfidential
}
