package decisionlog

import "earshot/policy"

func writeCandidate(f *form, c *policy.Candidate) {
	f.document(candidateDocument, func(f *form) {
		// The index reads the id, so it stands first.
		f.name(c.ID)
		writeAudience(f, c.Audience)
		f.name(c.AudienceBasis)
		f.name(c.Tenant)
		f.name(c.Channel)
		f.name(c.Agent)
		f.flag(c.Shared)
		f.number(uint64(c.Confidential))
		f.name(c.Kind)
		writeSources(f, c.Sources)
		f.name(c.State)
		f.moment(c.RecordedAt, epoch())
		f.moment(c.ExpiresAt, epoch())
		f.name(c.Digest)
		f.name(c.Seal)
		f.name(c.Store)
		f.raw(c.Attributes)
		writeList(f, c.Faults, func(fault policy.Fault) {
			f.name(fault.Code)
			f.name(fault.Field)
			f.name(fault.Problem)
		})
	})
}

func (v *values) candidate(handle uint64) policy.Candidate {
	r := v.document(handle, candidateDocument)
	return finish(v, r, policy.Candidate{
		ID:            v.name(r.handle()),
		Audience:      v.audience(r),
		AudienceBasis: v.name(r.handle()),
		Tenant:        v.name(r.handle()),
		Channel:       v.name(r.handle()),
		Agent:         v.name(r.handle()),
		Shared:        r.flag(),
		Confidential:  policy.Confidentiality(r.small()),
		Kind:          v.name(r.handle()),
		Sources:       v.sources(r),
		State:         v.name(r.handle()),
		RecordedAt:    r.moment().after(epoch()),
		ExpiresAt:     r.moment().after(epoch()),
		Digest:        v.name(r.handle()),
		Seal:          v.name(r.handle()),
		Store:         v.name(r.handle()),
		Attributes:    v.raw(r.handle()),
		Faults: readList(r, func() policy.Fault {
			return policy.Fault{
				Code:    v.name(r.handle()),
				Field:   v.name(r.handle()),
				Problem: v.name(r.handle()),
			}
		}),
	})
}

func writeSources(f *form, sources []policy.Source) {
	writeList(f, sources, func(s policy.Source) {
		f.document(sourceDocument, func(f *form) {
			f.name(s.ID)
			writeAudience(f, s.Audience)
			f.name(s.Tenant)
			f.name(s.Agent)
			f.number(uint64(s.Confidential))
			f.name(s.State)
			f.moment(s.ExpiresAt, epoch())
			writeSources(f, s.Sources)
		})
	})
}

func (v *values) sources(r *reader) []policy.Source {
	return readList(r, func() policy.Source { return v.source(r.handle()) })
}

func (v *values) source(handle uint64) policy.Source {
	r := v.document(handle, sourceDocument)
	return finish(v, r, policy.Source{
		ID:           v.name(r.handle()),
		Audience:     v.audience(r),
		Tenant:       v.name(r.handle()),
		Agent:        v.name(r.handle()),
		Confidential: policy.Confidentiality(r.small()),
		State:        v.name(r.handle()),
		ExpiresAt:    r.moment().after(epoch()),
		Sources:      v.sources(r),
	})
}

// writeAudience writes the members as a document of their own, which viewer sets share.
func writeAudience(f *form, a policy.Audience) {
	f.number(uint64(a.Kind))
	f.set(a.Members)
}

func (v *values) audience(r *reader) policy.Audience {
	return policy.Audience{Kind: policy.AudienceKind(r.small()), Members: v.set(r.handle())}
}
