package decisionlog

import (
	"fmt"
	"slices"

	"earshot/policy"
)

// handoff is one hand-off in handles, beside what its leaf holds. The candidate of an item is an
// element.
type handoff struct {
	revision    uint64
	requestedBy uint64
	tenant      uint64
	agent       uint64
	inheritance uint64
	boundary    uint64
	profile     uint64
	verdict     uint64
	directive   directive
	manifest    uint64
	items       []item
	seals       []sealCheck

	// A list without elements may be nil or not; the reader gives back which it was.
	nilElements, nilResults bool
}

// writeHandoff writes what follows version and salt. Its order is that of parseHandoff.
func writeHandoff(f *form, e *policy.HandoffEntry) error {
	h := &e.Request
	if len(e.Results) != len(h.Elements) {
		return fmt.Errorf("%w: %d results for %d elements", ErrUnencodable, len(e.Results), len(h.Elements))
	}
	f.name(e.PolicyRevision)
	f.name(h.RequestedBy)
	f.name(h.Tenant)
	f.name(h.Agent)
	writeInheritance(f, h.Inheritance)
	writeBoundary(f, h.Boundary)
	f.name(string(h.Profile))
	f.name(string(e.Verdict))
	writeDirective(f, e.Directive, h.Agent)
	f.name(e.ManifestDigest)

	f.flag(h.Elements == nil)
	f.flag(e.Results == nil)
	f.number(uint64(len(e.Results)))
	for i := range e.Results {
		writeElement(f, &h.Elements[i])
		writeOutcome(f, &e.Results[i], h.Elements[i].ID)
	}
	writeSeals(f, e.Seals)
	return nil
}

// parseHandoff reads the stored bytes of a payload, whose handles must be below next.
func parseHandoff(b []byte, next uint64) (*handoff, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	h := &handoff{
		revision:    r.handle(),
		requestedBy: r.handle(),
		tenant:      r.handle(),
		agent:       r.handle(),
		inheritance: r.handle(),
		boundary:    r.handle(),
		profile:     r.handle(),
		verdict:     r.handle(),
		directive:   readDirective(r),
		manifest:    r.handle(),
	}
	h.nilElements, h.nilResults = r.flag(), r.flag()
	h.items = make([]item, r.count())
	for i := range h.items {
		h.items[i] = item{candidate: r.handle(), outcome: r.handle()}
	}
	if len(h.items) > 0 && (h.nilElements || h.nilResults) {
		r.fail("the payload has elements where it has none")
	}
	h.seals = readSeals(r)
	return h, r.end()
}

// openHandoff reads the payload of a hand-off that a leaf commits to.
func openHandoff(l *leaf, stored []byte) (*handoff, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parseHandoff(stored, l.Defines.next())
}

// handoff puts the hand-off together again from its leaf and its payload.
func (v *values) handoff(l *leaf, stored []byte) (*policy.HandoffEntry, error) {
	p, err := openHandoff(l, stored)
	if err != nil {
		return nil, err
	}
	e := &policy.HandoffEntry{ID: l.ID, At: l.At, PolicyRevision: l.Revision}
	e.Request = policy.Handoff{
		RequestedBy: v.name(p.requestedBy),
		Tenant:      v.name(p.tenant),
		Agent:       v.name(p.agent),
		Inheritance: v.inheritance(p.inheritance),
		Boundary:    v.boundary(p.boundary),
		Profile:     policy.Profile(v.name(p.profile)),
	}
	e.Seals = v.seals(p.seals)
	e.Verdict = policy.Verdict(v.name(p.verdict))
	e.Directive = v.directive(p.directive, e.Request.Agent)
	e.ManifestDigest = v.name(p.manifest)
	if !p.nilElements {
		e.Request.Elements = make([]policy.Element, len(p.items))
	}
	if !p.nilResults {
		e.Results = make([]policy.Result, len(p.items))
	}
	for i, item := range p.items {
		e.Request.Elements[i] = v.element(item.candidate)
		e.Results[i] = v.outcome(item.outcome, e.Request.Elements[i].ID)
		if v.err != nil {
			break
		}
	}
	if err := v.take(); err != nil {
		return nil, err
	}
	return e, nil
}

// summarizeHandoff fills in what the payload of a hand-off says, or nothing.
func (v *values) summarizeHandoff(s *Summary, l *leaf, stored []byte) error {
	p, err := openHandoff(l, stored)
	if err != nil {
		return err
	}
	sound := *s
	sound.RequestedBy = v.name(p.requestedBy)
	sound.Tenant = v.name(p.tenant)
	sound.Agent = v.name(p.agent)
	sound.Verdict = policy.Verdict(v.name(p.verdict))
	sound.Admitted, sound.Denied = v.count(p.items)
	if err := v.take(); err != nil {
		return err
	}
	*s = sound
	return nil
}

// handoffPostings returns the postings that the payload of a hand-off gives, as postings does for a
// decision.
func (v *values) handoffPostings(seq int64, l *leaf, stored []byte) ([]posting, error) {
	p, err := openHandoff(l, stored)
	if err != nil {
		return nil, err
	}
	list := make([]posting, 0, 8+3*len(p.items))
	for _, of := range []struct {
		kind   postingKind
		handle uint64
	}{{byAgent, p.agent}, {byTenant, p.tenant}, {byVerdict, p.verdict}, {byRevision, p.revision}} {
		if of.handle != 0 {
			list = append(list, posting{of.kind, int64(of.handle), seq})
		}
	}
	list = v.itemPostings(list, seq, p.items, elementDocument)
	if err := v.take(); err != nil {
		return nil, err
	}
	slices.SortFunc(list, posting.compare)
	return slices.Compact(list), nil
}
