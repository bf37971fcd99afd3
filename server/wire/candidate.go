package wire

import (
	"fmt"
	"strings"

	"earshot/policy"
)

// candidate reads one candidate. What it leaves out is left to its seal, where it has one.
func (r *reader) candidate() policy.Candidate {
	c := r.labels(func(string) bool { return false })
	if c.Seal == "" {
		c.Unstated = 0
	}
	return c
}

// labels reads the labels of an item, with the defaults of the contract, and notes which of them were
// left out. A field that does not fit reads as its zero value, which never opens anything: the fault
// denies a candidate anyway. Of a member that is no label, more says whether it was read.
func (r *reader) labels(more func(name string) bool) policy.Candidate {
	c := policy.Candidate{AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive}
	var id, audience bool
	c.Unstated = policy.LabelAudience | policy.LabelAudienceBasis | policy.LabelShared | policy.LabelKind | policy.LabelSources
	isObject := r.object(func(name string) {
		switch name {
		case "id":
			id = true
			r.must()
			c.ID = r.label()
		case "audience":
			audience = true
			c.Unstated &^= policy.LabelAudience
			c.Audience = r.audience()
		case "audience_basis":
			c.Unstated &^= policy.LabelAudienceBasis
			c.AudienceBasis = r.text()
		case "tenant":
			c.Tenant = r.label()
		case "channel":
			c.Channel = r.label()
		case "agent":
			c.Agent = r.label()
		case "shared":
			c.Unstated &^= policy.LabelShared
			c.Shared = r.flag(false)
		case "confidential":
			c.Confidential = r.confidentiality()
		case "kind":
			c.Unstated &^= policy.LabelKind
			c.Kind = r.text()
		case "sources":
			c.Unstated &^= policy.LabelSources
			c.Sources = r.sourceList(1)
		case "state":
			c.State = r.text()
		case "recorded_at":
			c.RecordedAt = r.instant()
		case "expires_at":
			c.ExpiresAt = r.instant()
		case "digest":
			c.Digest = r.label()
		case "seal":
			c.Seal = r.label()
		case "store":
			c.Store = r.label()
		case "attributes":
			c.Attributes = r.free()
		default:
			if !more(name) {
				r.unknown()
			}
		}
	})
	if isObject && !id {
		r.missing("id", "name the item")
	}
	if !audience && len(c.Sources) > 0 {
		c.Audience.Kind = policy.AudienceInherited
	}
	return c
}

// sourceList reads a list of sources, depth levels below the candidate.
func (r *reader) sourceList(depth int) []policy.Source {
	if depth > policy.MaxSourceDepth && r.is('[') {
		r.skip()
		r.wrong("is nested deeper than %d levels", policy.MaxSourceDepth)
		return nil
	}
	var sources []policy.Source
	r.list(func(int) {
		if r.sources++; r.sources > r.limits.Sources {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: r.items,
				Detail:  fmt.Sprintf("have more than %d sources together; split them over several requests", r.limits.Sources),
			})
			return
		}
		sources = append(sources, r.source(depth))
	})
	return sources
}

// source reads the label of something an item was derived from.
func (r *reader) source(depth int) policy.Source {
	s := policy.Source{State: policy.StateLive}
	audience := false
	r.object(func(name string) {
		switch name {
		case "id":
			s.ID = r.label()
		case "audience":
			audience = true
			s.Audience = r.audience()
		case "tenant":
			s.Tenant = r.label()
		case "agent":
			s.Agent = r.label()
		case "confidential":
			s.Confidential = r.confidentiality()
		case "state":
			s.State = r.text()
		case "expires_at":
			s.ExpiresAt = r.instant()
		case "sources":
			s.Sources = r.sourceList(depth + 1)
		default:
			r.unknown()
		}
	})
	if !audience && len(s.Sources) > 0 {
		s.Audience.Kind = policy.AudienceInherited
	}
	return s
}

// audience reads who was present. Null and an empty list are nobody; a string is only ever one of
// the two words, never a list in disguise. An audience with a wrong member is nobody.
func (r *reader) audience() policy.Audience {
	switch {
	case r.null():
		return policy.Audience{}
	case r.is('['):
		before := r.noted
		names := r.principals()
		if r.noted > before {
			return policy.Audience{}
		}
		return policy.Principals(names...)
	case !r.is('"'):
		r.mismatch(`a list of principals, "tenant" or "public"`)
		return policy.Audience{}
	}
	switch word := r.quoted(); {
	case r.err != nil:
	case word == policy.AudiencePublic.String():
		return policy.Everybody()
	case word == policy.AudienceTenant.String():
		return policy.WholeTenant()
	case strings.EqualFold(word, policy.AudiencePublic.String()), strings.EqualFold(word, policy.AudienceTenant.String()):
		r.wrong(`must be "tenant" or "public" in lower case, or a list of principals`)
	default:
		r.wrong(`must be a list of principals, "tenant" or "public"; a string cannot hold a list`)
	}
	return policy.Audience{}
}

// confidentiality reads the mark; absent is policy.ConfidentialityUnstated.
func (r *reader) confidentiality() policy.Confidentiality {
	if !r.is('t') && !r.is('f') {
		r.mismatch("true or false")
		return policy.ConfidentialityUnstated
	}
	if r.flag(true) {
		return policy.Confidential
	}
	return policy.NotConfidential
}
