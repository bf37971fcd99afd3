package policy

import (
	"bytes"
	"maps"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"earshot/policy/residual"
)

// frame is what the closures of a policy read: one turn, what is known of its viewers, and one
// candidate of it.
type frame struct {
	now       time.Time
	nowNS     int64
	turn      *Turn
	inherit   *Inheritance
	roster    *Roster // never nil
	kept      bool
	known     bool
	present   []string
	candidate *Candidate
	grant     []string
	seal      string
}

// turnOf takes in the turn of an entry.
func (f *frame) turnOf(e *Entry) {
	*f = frame{
		now: e.At, nowNS: nanoseconds(e.At), turn: &e.Request.Turn, inherit: &e.Request.Inheritance,
		roster: e.Facts.Roster, kept: e.Facts.Roster != nil,
	}
	if !f.kept {
		f.roster = &Roster{}
	}
}

// candidateOf takes in the candidate at a position.
func (f *frame) candidateOf(e *Entry, position int) {
	f.candidate = &e.Request.Candidates[position]
	f.grant, f.seal = nil, e.sealStatus(position)
	if len(e.Facts.Grants) > 0 {
		f.grant = e.Facts.Grants[position]
	}
}

// fields says where the closures find what the policy sees. It must agree with input.go in every
// field; a test compares them.
func fields() residual.Schema[frame] {
	const turn, candidate = residual.Turn, residual.Candidate
	text := func(scope residual.Scope, get func(*frame) string) residual.Accessor[frame] {
		return residual.Accessor[frame]{Scope: scope, Text: get}
	}
	names := func(scope residual.Scope, get func(*frame) []string) residual.Accessor[frame] {
		return residual.Accessor[frame]{Scope: scope, Names: get}
	}
	flag := func(scope residual.Scope, get func(*frame) bool) residual.Accessor[frame] {
		return residual.Accessor[frame]{Scope: scope, Bool: get}
	}
	number := func(scope residual.Scope, get func(*frame) int64) residual.Accessor[frame] {
		return residual.Accessor[frame]{Scope: scope, Int: get}
	}
	scalar := func(scope residual.Scope, get func(*frame) residual.Scalar) residual.Accessor[frame] {
		return residual.Accessor[frame]{Scope: scope, Scalar: get}
	}
	return residual.Schema[frame]{
		"input.now_ns":                            number(turn, func(f *frame) int64 { return f.nowNS }),
		"input.turn.id":                           text(turn, func(f *frame) string { return f.turn.ID }),
		"input.turn.attempt":                      number(turn, func(f *frame) int64 { return int64(f.turn.Attempt) }),
		"input.turn.tenant":                       text(turn, func(f *frame) string { return f.turn.Tenant }),
		"input.turn.agent":                        text(turn, func(f *frame) string { return f.turn.Agent }),
		"input.turn.channel":                      text(turn, func(f *frame) string { return f.turn.Channel }),
		"input.turn.viewers_stated":               flag(turn, func(f *frame) bool { return f.turn.Viewers != nil }),
		"input.turn.viewers":                      names(turn, func(f *frame) []string { return f.turn.Viewers }),
		"input.turn.viewers_basis":                text(turn, func(f *frame) string { return f.turn.ViewersBasis }),
		"input.turn.external_viewers":             names(turn, func(f *frame) []string { return f.turn.ExternalViewers }),
		"input.turn.revoked_viewers":              names(turn, func(f *frame) []string { return f.turn.RevokedViewers }),
		"input.turn.evidence":                     {Scope: turn, Len: func(f *frame) int { return len(f.turn.Evidence) }, Elements: evidenceFields()},
		"input.turn.attributes":                   {Scope: turn, JSON: func(f *frame) ast.Value { return attributesValue(f.turn.Attributes) }},
		"input.turn.roster.kept":                  flag(turn, func(f *frame) bool { return f.kept }),
		"input.turn.roster.members":               names(turn, func(f *frame) []string { return f.roster.Members }),
		"input.turn.roster.revoked":               names(turn, func(f *frame) []string { return f.roster.Revoked }),
		"input.inheritance.authorized_agents":     names(turn, func(f *frame) []string { return f.inherit.AuthorizedAgents }),
		"input.inheritance.prohibit_confidential": flag(turn, func(f *frame) bool { return !f.inherit.AllowConfidential }),
		"input.inheritance.require_attribution":   flag(turn, func(f *frame) bool { return !f.inherit.AllowUnattributed }),
		pathKnown:                                 flag(turn, func(f *frame) bool { return f.known }),
		pathPresent:                               {Scope: turn, Names: func(f *frame) []string { return f.present }, IsSet: true},

		"input.candidate.id":               text(candidate, func(f *frame) string { return f.candidate.ID }),
		"input.candidate.faults":           names(candidate, func(f *frame) []string { return faultCodes(f.candidate) }),
		"input.candidate.audience.kind":    text(candidate, func(f *frame) string { return f.candidate.Audience.Kind.String() }),
		"input.candidate.audience.members": names(candidate, func(f *frame) []string { return f.candidate.Audience.Members }),
		"input.candidate.audience_basis":   text(candidate, func(f *frame) string { return f.candidate.AudienceBasis }),
		"input.candidate.tenant":           text(candidate, func(f *frame) string { return f.candidate.Tenant }),
		"input.candidate.channel":          text(candidate, func(f *frame) string { return f.candidate.Channel }),
		"input.candidate.agent":            text(candidate, func(f *frame) string { return f.candidate.Agent }),
		"input.candidate.shared":           flag(candidate, func(f *frame) bool { return f.candidate.Shared }),
		"input.candidate.confidential":     scalar(candidate, func(f *frame) residual.Scalar { return f.candidate.Confidential.scalar() }),
		"input.candidate.kind":             text(candidate, func(f *frame) string { return f.candidate.Kind }),
		"input.candidate.state":            text(candidate, func(f *frame) string { return f.candidate.State }),
		"input.candidate.recorded_at_ns":   scalar(candidate, func(f *frame) residual.Scalar { return instantScalar(f.candidate.RecordedAt) }),
		"input.candidate.expires_at_ns":    scalar(candidate, func(f *frame) residual.Scalar { return instantScalar(f.candidate.ExpiresAt) }),
		"input.candidate.digest":           text(candidate, func(f *frame) string { return f.candidate.Digest }),
		"input.candidate.seal":             text(candidate, func(f *frame) string { return f.seal }),
		"input.candidate.store":            text(candidate, func(f *frame) string { return f.candidate.Store }),
		"input.candidate.attributes":       {Scope: candidate, JSON: func(f *frame) ast.Value { return attributesValue(f.candidate.Attributes) }},
		"input.candidate.granted_viewers":  names(candidate, func(f *frame) []string { return f.grant }),
		"input.candidate.sources":          {Scope: candidate, Len: func(f *frame) int { return len(f.candidate.Sources) }, Elements: sourceFields()},
	}
}

// turnFields are the fields that are there while the viewers are resolved.
func turnFields() residual.Schema[frame] {
	all := fields()
	maps.DeleteFunc(all, func(path string, a residual.Accessor[frame]) bool {
		return a.Scope != residual.Turn || path == pathKnown || path == pathPresent
	})
	return all
}

func evidenceFields() map[string]residual.ElementAccessor[frame] {
	return map[string]residual.ElementAccessor[frame]{
		"source":   {Text: func(f *frame, i int) string { return f.turn.Evidence[i].Source }},
		"viewers":  {Names: func(f *frame, i int) []string { return f.turn.Evidence[i].Viewers }},
		"complete": {Bool: func(f *frame, i int) bool { return f.turn.Evidence[i].Complete }},
		"observed_at_ns": {Int: func(f *frame, i int) int64 {
			if at := f.turn.Evidence[i].ObservedAt; !at.IsZero() {
				return nanoseconds(at)
			}
			return f.nowNS
		}},
	}
}

func sourceFields() map[string]residual.ElementAccessor[frame] {
	type element = residual.ElementAccessor[frame]
	return map[string]element{
		"id":               {Text: func(f *frame, i int) string { return f.candidate.Sources[i].ID }},
		"audience.kind":    {Text: func(f *frame, i int) string { return f.candidate.Sources[i].Audience.Kind.String() }},
		"audience.members": {Names: func(f *frame, i int) []string { return f.candidate.Sources[i].Audience.Members }},
		"tenant":           {Text: func(f *frame, i int) string { return f.candidate.Sources[i].Tenant }},
		"agent":            {Text: func(f *frame, i int) string { return f.candidate.Sources[i].Agent }},
		"confidential":     {Scalar: func(f *frame, i int) residual.Scalar { return f.candidate.Sources[i].Confidential.scalar() }},
		"state":            {Text: func(f *frame, i int) string { return f.candidate.Sources[i].State }},
		"expires_at_ns":    {Scalar: func(f *frame, i int) residual.Scalar { return instantScalar(f.candidate.Sources[i].ExpiresAt) }},
	}
}

func faultCodes(c *Candidate) []string {
	if len(c.Faults) == 0 {
		return nil
	}
	codes := make([]string, len(c.Faults))
	for i, fault := range c.Faults {
		codes[i] = fault.Code
	}
	return sortedSet(codes)
}

func (c Confidentiality) scalar() residual.Scalar {
	switch c {
	case Confidential:
		return residual.OfBool(true)
	case NotConfidential:
		return residual.OfBool(false)
	default:
		return residual.Scalar{}
	}
}

func instantScalar(t time.Time) residual.Scalar {
	if t.IsZero() {
		return residual.Scalar{}
	}
	return residual.OfInt(nanoseconds(t))
}

var noAttributes = ast.NewObject()

// attributesValue returns a JSON object that normalize has checked.
func attributesValue(raw []byte) ast.Value {
	if len(raw) == 0 {
		return noAttributes
	}
	value, err := ast.ValueFromReader(bytes.NewReader(raw))
	if err != nil {
		// A JSON text that compacts always parses. Should that change, a rule that reads the
		// attributes meets a value of the wrong type, which it must treat as no evidence.
		return ast.Null{}
	}
	return value
}
