package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// input builds what the policy sees of one entry. Every field is always there: an undefined field
// would make a forbid that reads it fail open.
type input struct {
	entry       *Entry
	now         *ast.Term
	turn        *ast.Term
	inheritance *ast.Term
	resolved    *ast.Term
}

func newInput(entry *Entry) *input {
	req := &entry.Request
	return &input{
		entry: entry,
		now:   instantTerm(entry.At),
		turn:  turnTerm(&req.Turn, entry.Facts.Roster, entry.At),
		inheritance: object(
			"authorized_agents", list(req.Inheritance.AuthorizedAgents),
			"prohibit_confidential", ast.InternedTerm(!req.Inheritance.AllowConfidential),
			"require_attribution", ast.InternedTerm(!req.Inheritance.AllowUnattributed),
		),
	}
}

// turnOnly returns the input without a candidate, for questions about the viewers.
func (in *input) turnOnly() ast.Value {
	return object("now_ns", in.now, "turn", in.turn, "inheritance", in.inheritance).Value
}

// resolve takes over what the policy said of the viewers.
func (in *input) resolve(v *Viewers) {
	in.resolved = object("known", ast.InternedTerm(v.Known), "present", set(v.Present))
}

// candidate returns the input for the candidate at position. Its field resolved is for the engine's
// own query; rules read data.earshot.viewers.
func (in *input) candidate(position int) ast.Value {
	c := candidateTerm(&in.entry.Request.Candidates[position], in.entry.Facts.Grants[position], in.entry.sealStatus(position))
	return object("now_ns", in.now, "turn", in.turn, "inheritance", in.inheritance,
		"resolved", in.resolved, "candidate", c).Value
}

func turnTerm(t *Turn, roster *Roster, now time.Time) *ast.Term {
	evidence := make([]*ast.Term, len(t.Evidence))
	for i, reading := range t.Evidence {
		at := reading.ObservedAt
		if at.IsZero() {
			at = now
		}
		evidence[i] = object(
			"source", ast.StringTerm(reading.Source),
			"viewers", list(reading.Viewers),
			"complete", ast.InternedTerm(reading.Complete),
			"observed_at_ns", instantTerm(at),
		)
	}
	kept := roster != nil
	if !kept {
		roster = &Roster{}
	}
	return object(
		"id", ast.StringTerm(t.ID),
		"attempt", ast.InternedTerm(t.Attempt),
		"tenant", ast.StringTerm(t.Tenant),
		"agent", ast.StringTerm(t.Agent),
		"channel", ast.StringTerm(t.Channel),
		"viewers_stated", ast.InternedTerm(t.Viewers != nil),
		"viewers", list(t.Viewers),
		"viewers_basis", ast.StringTerm(t.ViewersBasis),
		"external_viewers", list(t.ExternalViewers),
		"revoked_viewers", list(t.RevokedViewers),
		"evidence", ast.ArrayTerm(evidence...),
		"attributes", attributesTerm(t.Attributes),
		"roster", object(
			"kept", ast.InternedTerm(kept),
			"members", list(roster.Members),
			"revoked", list(roster.Revoked),
		),
	)
}

func candidateTerm(c *Candidate, grant []string, seal string) *ast.Term {
	sources := make([]*ast.Term, len(c.Sources))
	for i := range c.Sources {
		s := &c.Sources[i]
		sources[i] = object(
			"id", ast.StringTerm(s.ID),
			"audience", audienceTerm(s.Audience),
			"tenant", ast.StringTerm(s.Tenant),
			"agent", ast.StringTerm(s.Agent),
			"confidential", s.Confidential.term(),
			"state", ast.StringTerm(s.State),
			"expires_at_ns", optionalInstantTerm(s.ExpiresAt),
		)
	}
	return object(
		"id", ast.StringTerm(c.ID),
		"faults", list(faultCodes(c)),
		"audience", audienceTerm(c.Audience),
		"audience_basis", ast.StringTerm(c.AudienceBasis),
		"tenant", ast.StringTerm(c.Tenant),
		"channel", ast.StringTerm(c.Channel),
		"agent", ast.StringTerm(c.Agent),
		"shared", ast.InternedTerm(c.Shared),
		"confidential", c.Confidential.term(),
		"kind", ast.StringTerm(c.Kind),
		"state", ast.StringTerm(c.State),
		"recorded_at_ns", optionalInstantTerm(c.RecordedAt),
		"expires_at_ns", optionalInstantTerm(c.ExpiresAt),
		"digest", ast.StringTerm(c.Digest),
		"seal", ast.StringTerm(seal),
		"store", ast.StringTerm(c.Store),
		"attributes", attributesTerm(c.Attributes),
		"granted_viewers", list(grant),
		"sources", ast.ArrayTerm(sources...),
	)
}

func (c Confidentiality) term() *ast.Term {
	switch c {
	case Confidential:
		return ast.InternedTerm(true)
	case NotConfidential:
		return ast.InternedTerm(false)
	default:
		return ast.NullTerm()
	}
}

func audienceTerm(a Audience) *ast.Term {
	return object("kind", ast.StringTerm(a.Kind.String()), "members", list(a.Members))
}
