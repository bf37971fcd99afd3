package policy

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
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
}

func newInput(entry *Entry) *input {
	req := &entry.Request
	return &input{
		entry: entry,
		now:   instantTerm(entry.At),
		turn:  turnTerm(&req.Turn, entry.Facts.Roster, entry.At),
		inheritance: object(
			"authorized_agents", set(req.Inheritance.AuthorizedAgents),
			"prohibit_confidential", ast.InternedTerm(!req.Inheritance.AllowConfidential),
			"require_attribution", ast.InternedTerm(!req.Inheritance.AllowUnattributed),
		),
	}
}

// turnOnly returns the input without a candidate, for questions about the viewers.
func (in *input) turnOnly() ast.Value {
	return object("now_ns", in.now, "turn", in.turn, "inheritance", in.inheritance).Value
}

// candidate returns the input for the candidate at position.
func (in *input) candidate(position int) ast.Value {
	c := candidateTerm(&in.entry.Request.Candidates[position], in.entry.Facts.Grants[position])
	return object("now_ns", in.now, "turn", in.turn, "inheritance", in.inheritance, "candidate", c).Value
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
			"viewers", set(reading.Viewers),
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
		"viewers", set(t.Viewers),
		"viewers_basis", ast.StringTerm(t.ViewersBasis),
		"external_viewers", set(t.ExternalViewers),
		"revoked_viewers", set(t.RevokedViewers),
		"evidence", ast.ArrayTerm(evidence...),
		"attributes", attributesTerm(t.Attributes),
		"roster", object(
			"kept", ast.InternedTerm(kept),
			"members", set(roster.Members),
			"revoked", set(roster.Revoked),
		),
	)
}

func candidateTerm(c *Candidate, grant []string) *ast.Term {
	faults := make([]*ast.Term, len(c.Faults))
	for i, fault := range c.Faults {
		faults[i] = ast.StringTerm(fault.Code)
	}
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
		"faults", ast.SetTerm(faults...),
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
		"seal", ast.StringTerm(sealStatus(c.Seal)),
		"store", ast.StringTerm(c.Store),
		"attributes", attributesTerm(c.Attributes),
		"granted_viewers", set(grant),
		"sources", ast.ArrayTerm(sources...),
	)
}

// sealStatus returns what verification says of a seal. No key of this service has signed one, so a
// seal that is there cannot be genuine.
func sealStatus(seal string) string {
	if seal == "" {
		return "absent"
	}
	return "invalid"
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
	return object("kind", ast.StringTerm(a.Kind.String()), "members", set(a.Members))
}

// attributesTerm returns a JSON object that normalize has checked.
func attributesTerm(raw json.RawMessage) *ast.Term {
	if len(raw) == 0 {
		return ast.ObjectTerm()
	}
	value, err := ast.ValueFromReader(bytes.NewReader(raw))
	if err != nil {
		// A JSON text that compacts always parses. Should that change, a rule that reads the
		// attributes meets a value of the wrong type, which it must treat as no evidence.
		return ast.NullTerm()
	}
	return ast.NewTerm(value)
}

func optionalInstantTerm(t time.Time) *ast.Term {
	if t.IsZero() {
		return ast.NullTerm()
	}
	return instantTerm(t)
}

// The first and the last instant that fit into 64 bits of nanoseconds. People write the year 9999
// for "never", so instants beyond are held at the edge instead of wrapping around.
var (
	firstInstant = time.Unix(0, math.MinInt64)
	lastInstant  = time.Unix(0, math.MaxInt64)
)

func instantTerm(t time.Time) *ast.Term {
	ns := t.UnixNano()
	switch {
	case t.Before(firstInstant):
		ns = math.MinInt64
	case t.After(lastInstant):
		ns = math.MaxInt64
	}
	return ast.NumberTerm(json.Number(strconv.FormatInt(ns, 10)))
}

// object makes an object term of alternating keys and values.
func object(pairs ...any) *ast.Term {
	items := make([][2]*ast.Term, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, [2]*ast.Term{ast.InternedTerm(pairs[i].(string)), pairs[i+1].(*ast.Term)})
	}
	return ast.ObjectTerm(items...)
}

func set(names []string) *ast.Term {
	terms := make([]*ast.Term, len(names))
	for i, name := range names {
		terms[i] = ast.StringTerm(name)
	}
	return ast.SetTerm(terms...)
}
