package wire

import (
	"time"

	"earshot/policy"

	"github.com/go-json-experiment/json/jsontext"
)

// EncodeRequest returns req in the form of the contract.
func EncodeRequest(req *policy.Request) Request {
	out := Request{
		Turn: encodeTurn(&req.Turn),
		Inheritance: Inheritance{
			AuthorizedAgents:     req.Inheritance.AuthorizedAgents,
			ProhibitConfidential: !req.Inheritance.AllowConfidential,
			RequireAttribution:   !req.Inheritance.AllowUnattributed,
		},
		Candidates: make([]Candidate, len(req.Candidates)),
	}
	for i := range req.Candidates {
		out.Candidates[i] = encodeCandidate(&req.Candidates[i])
	}
	return out
}

func encodeTurn(t *policy.Turn) Turn {
	out := Turn{
		ID:              t.ID,
		Attempt:         t.Attempt,
		Tenant:          t.Tenant,
		Agent:           t.Agent,
		Channel:         t.Channel,
		ViewersBasis:    t.ViewersBasis,
		ExternalViewers: t.ExternalViewers,
		RevokedViewers:  t.RevokedViewers,
		Attributes:      jsontext.Value(t.Attributes),
	}
	if t.Viewers != nil {
		out.Viewers = &t.Viewers
	}
	for _, e := range t.Evidence {
		out.Evidence = append(out.Evidence, Evidence{
			Source:     e.Source,
			Viewers:    full(e.Viewers),
			Complete:   e.Complete,
			ObservedAt: instantText(e.ObservedAt),
		})
	}
	return out
}

func encodeCandidate(c *policy.Candidate) Candidate {
	out := Candidate{
		ID:            c.ID,
		Audience:      audienceForm(c.Audience),
		AudienceBasis: &c.AudienceBasis,
		Tenant:        c.Tenant,
		Channel:       c.Channel,
		Agent:         c.Agent,
		Shared:        &c.Shared,
		Confidential:  markForm(c.Confidential),
		Kind:          &c.Kind,
		Sources:       sourceForms(c.Sources),
		State:         c.State,
		RecordedAt:    instantText(c.RecordedAt),
		ExpiresAt:     instantText(c.ExpiresAt),
		Digest:        c.Digest,
		Seal:          c.Seal,
		Store:         c.Store,
		Attributes:    jsontext.Value(c.Attributes),
	}
	if c.Seal != "" {
		leaveToSeal(&out, c.Unstated)
	}
	if len(c.Faults) > 0 {
		out.Faults = faultList(c.Faults)
	}
	return out
}

// leaveToSeal takes out what the caller left to the seal. No sources are written where there are none,
// since that is another thing to say.
func leaveToSeal(c *Candidate, unstated policy.Labels) {
	if c.Sources == nil {
		c.Sources = []Source{}
	}
	if unstated&policy.LabelAudience != 0 {
		c.Audience = nil
	}
	if unstated&policy.LabelAudienceBasis != 0 {
		c.AudienceBasis = nil
	}
	if unstated&policy.LabelShared != 0 {
		c.Shared = nil
	}
	if unstated&policy.LabelKind != 0 {
		c.Kind = nil
	}
	if unstated&policy.LabelSources != 0 {
		c.Sources = nil
	}
}

// sourceForms writes sources so that they mean the same when they are read again. In an Entry they are
// flattened, each before its own sources: one that leaves its audience to those stands right before
// the first of them. It gets that one back, since without any it would be for nobody. More it does not
// need: flattened again, the order is the same.
func sourceForms(sources []policy.Source) []Source {
	var out []Source
	for i := 0; i < len(sources); i++ {
		chain := []Source{sourceForm(&sources[i])}
		for lacksSources(&sources[i]) && i+1 < len(sources) {
			i++
			chain = append(chain, sourceForm(&sources[i]))
		}
		for k := len(chain) - 1; k > 0; k-- {
			chain[k-1].Sources = []Source{chain[k]}
		}
		out = append(out, chain[0])
	}
	return out
}

func lacksSources(s *policy.Source) bool {
	return s.Audience.Kind == policy.AudienceInherited && len(s.Sources) == 0
}

func sourceForm(s *policy.Source) Source {
	return Source{
		ID:           s.ID,
		Audience:     audienceForm(s.Audience),
		Tenant:       s.Tenant,
		Agent:        s.Agent,
		Confidential: markForm(s.Confidential),
		State:        s.State,
		ExpiresAt:    instantText(s.ExpiresAt),
		Sources:      sourceForms(s.Sources),
	}
}

// audienceForm returns a word or a list; nobody is the empty list, and nil is left out.
func audienceForm(a policy.Audience) any {
	switch a.Kind {
	case policy.AudienceInherited:
		return nil
	case policy.AudiencePublic, policy.AudienceTenant:
		return a.Kind.String()
	default:
		return full(a.Members)
	}
}

func markForm(c policy.Confidentiality) *bool {
	switch c {
	case policy.Confidential:
		return new(true)
	case policy.NotConfidential:
		return new(false)
	default:
		return nil
	}
}

// instantText writes a time of a caller; empty where it is absent.
func instantText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
