package decisionlog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"earshot/policy"
)

const (
	payloadVersion = 1

	// saltSize is the size in bytes of the salts of payloads and names.
	saltSize = 16
)

// payload is one decision in handles, beside what its leaf holds.
type payload struct {
	revision    uint64
	requestedBy uint64
	turn        turn
	inheritance uint64
	roster      uint64
	grants      []grant
	viewers     uint64
	verdict     uint64
	directive   directive
	items       []item
	seals       []sealCheck

	// A list without elements may be nil or not; the reader gives back which it was.
	nilCandidates, nilResults bool
}

// grant is the set that the candidate at a position was granted to.
type grant struct {
	position int64
	viewers  uint64
}

// directive is a sentence that may name the turn's agent: then it is cut around that name, so that
// erasing the agent erases it here as well.
type directive struct {
	namesAgent    bool
	before, after uint64
}

// sealCheck is what came of verifying the seal of the candidate at a position.
type sealCheck struct {
	position int64
	status   policy.SealStatus
	differs  uint64
}

// item is one candidate and what was decided about it.
type item struct {
	candidate, outcome uint64
}

// writePayload writes what follows version and salt. Its order is that of parsePayload.
func writePayload(f *form, e *policy.Entry) error {
	if len(e.Results) != len(e.Request.Candidates) {
		return fmt.Errorf("%w: %d results for %d candidates", ErrUnencodable, len(e.Results), len(e.Request.Candidates))
	}
	f.name(e.PolicyRevision)
	f.name(e.Request.RequestedBy)
	writeTurn(f, &e.Request.Turn, e.At)
	writeInheritance(f, e.Request.Inheritance)
	writeRoster(f, e.Facts.Roster)
	writeGrants(f, e.Facts.Grants)
	writeViewers(f, e.Viewers)
	f.name(string(e.Verdict))
	writeDirective(f, e.Directive, e.Request.Turn.Agent)

	f.flag(e.Request.Candidates == nil)
	f.flag(e.Results == nil)
	f.number(uint64(len(e.Results)))
	for i := range e.Results {
		writeCandidate(f, &e.Request.Candidates[i])
		writeOutcome(f, &e.Results[i], e.Request.Candidates[i].ID)
	}
	writeSeals(f, e.Facts.Seals)
	return nil
}

// writeSeals writes nothing where there is nothing: the list ends the payload.
func writeSeals(f *form, seals map[int]policy.SealCheck) {
	if seals == nil {
		return
	}
	f.number(uint64(len(seals)) + 1)
	for _, position := range slices.Sorted(maps.Keys(seals)) {
		f.integer(int64(position))
		f.number(uint64(seals[position].Status))
		f.name(seals[position].Differs)
	}
}

func writeGrants(f *form, grants map[int][]string) {
	if grants == nil {
		f.number(0)
		return
	}
	f.number(uint64(len(grants)) + 1)
	for _, position := range slices.Sorted(maps.Keys(grants)) {
		f.integer(int64(position))
		f.set(grants[position])
	}
}

func writeDirective(f *form, text, agent string) {
	before, after, found := strings.Cut(text, agent)
	found = found && agent != ""
	f.flag(found)
	if !found {
		before, after = text, ""
	}
	f.name(before)
	f.name(after)
}

func readDirective(r *reader) directive {
	return directive{namesAgent: r.flag(), before: r.handle(), after: r.handle()}
}

func (v *values) directive(d directive, agent string) string {
	text := v.name(d.before)
	if d.namesAgent {
		text += agent + v.name(d.after)
	}
	return text
}

// parsePayload reads the stored bytes of a payload, whose handles must be below next.
func parsePayload(b []byte, next uint64) (*payload, error) {
	r, err := payloadReader(b, next)
	if err != nil {
		return nil, err
	}
	p := &payload{
		revision:    r.handle(),
		requestedBy: r.handle(),
		turn:        readTurn(r),
		inheritance: r.handle(),
		roster:      r.handle(),
	}
	p.grants = readList(r, func() grant { return grant{position: r.integer(), viewers: r.handle()} })
	p.viewers = r.handle()
	p.verdict = r.handle()
	p.directive = readDirective(r)
	p.nilCandidates, p.nilResults = r.flag(), r.flag()
	p.items = make([]item, r.count())
	for i := range p.items {
		p.items[i] = item{candidate: r.handle(), outcome: r.handle()}
	}
	if len(p.items) > 0 && (p.nilCandidates || p.nilResults) {
		r.fail("the payload has items where it has none")
	}
	p.seals = readSeals(r)
	return p, r.end()
}

// readSeals reads what writeSeals wrote.
func readSeals(r *reader) []sealCheck {
	if r.err != nil || len(r.rest) == 0 {
		return nil
	}
	return readList(r, func() sealCheck {
		return sealCheck{position: r.integer(), status: policy.SealStatus(r.small()), differs: r.handle()}
	})
}

// payloadReader returns a reader of what stands behind the version and the salt of a payload.
func payloadReader(b []byte, next uint64) (*reader, error) {
	if len(b) < 1+saltSize || b[0] != payloadVersion {
		return nil, damaged("the payload is of an unknown version")
	}
	return &reader{rest: b[1+saltSize:], below: next}, nil
}

// openPayload reads the payload of a decision that a leaf commits to.
func openPayload(l *leaf, stored []byte) (*payload, error) {
	if digestOf(stored) != l.Payload {
		return nil, damaged("the payload does not match its leaf")
	}
	return parsePayload(stored, l.Defines.next())
}

// entry puts the decision together again from its leaf and its payload.
func (v *values) entry(l *leaf, stored []byte) (policy.Entry, error) {
	p, err := openPayload(l, stored)
	if err != nil {
		return policy.Entry{}, err
	}
	e := policy.Entry{ID: l.ID, At: l.At, PolicyRevision: l.Revision}
	e.Request.RequestedBy = v.name(p.requestedBy)
	e.Request.Turn = v.turn(&p.turn, l.At)
	e.Request.Inheritance = v.inheritance(p.inheritance)
	e.Facts = policy.Facts{Roster: v.roster(p.roster), Grants: v.grants(p.grants), Seals: v.seals(p.seals)}
	e.Viewers = v.viewers(p.viewers)
	e.Verdict = policy.Verdict(v.name(p.verdict))
	e.Directive = v.directive(p.directive, e.Request.Turn.Agent)
	if !p.nilCandidates {
		e.Request.Candidates = make([]policy.Candidate, len(p.items))
	}
	if !p.nilResults {
		e.Results = make([]policy.Result, len(p.items))
	}
	for i, item := range p.items {
		e.Request.Candidates[i] = v.candidate(item.candidate)
		e.Results[i] = v.outcome(item.outcome, e.Request.Candidates[i].ID)
		if v.err != nil {
			break
		}
	}
	if err := v.take(); err != nil {
		return policy.Entry{}, err
	}
	return e, nil
}

func (v *values) grants(list []grant) map[int][]string {
	if list == nil {
		return nil
	}
	grants := make(map[int][]string, len(list))
	for _, g := range list {
		grants[int(g.position)] = v.set(g.viewers)
	}
	return grants
}

func (v *values) seals(list []sealCheck) map[int]policy.SealCheck {
	if list == nil {
		return nil
	}
	seals := make(map[int]policy.SealCheck, len(list))
	for _, s := range list {
		seals[int(s.position)] = policy.SealCheck{Status: s.status, Differs: v.name(s.differs)}
	}
	return seals
}

// epoch is the base of instants that belong to a document and not to a decision.
func epoch() time.Time { return time.Unix(0, 0).UTC() }
