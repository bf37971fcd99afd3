package policy

import (
	"fmt"
	"slices"
	"time"
)

// Sealable returns an item in the normal form in which it can be sealed at an instant, for NewSealed.
// What it asks for is more than of a candidate, since a seal makes labels certain: an agent, a digest,
// a basis and a kind that are stated, an audience that is somebody and no wider than the meet of the
// sources, and a state that is live, of the sources too. An item without a tenant gets this one.
//
// Its error is an *InvalidError below pointer, a JSON pointer to the item.
func Sealable(pointer, tenant string, item Candidate, at time.Time) (Candidate, error) {
	c := normalizeCandidate(item)
	if len(c.Faults) > 0 {
		field := ""
		if c.Faults[0].Field != "" {
			field = "/" + c.Faults[0].Field
		}
		return Candidate{}, invalid(pointer+field, "%s", c.Faults[0].Problem)
	}
	if c.Tenant == "" {
		c.Tenant = tenant
	}
	for _, check := range []struct {
		field   string
		problem string
	}{
		{"tenant", wrongTenant(&c, tenant)},
		{"agent", must(c.Agent != "", "is required: name who introduced the item")},
		{"digest", must(c.Digest != "", "is required: a seal binds the labels to the content")},
		{"audience_basis", must(c.AudienceBasis != "" && c.Unstated&LabelAudienceBasis == 0,
			"is required: say how the audience was established, such as \"recorded\"")},
		{"kind", must(c.Unstated&LabelKind == 0, "is required: a seal makes it certain")},
		{"state", must(c.State == StateLive, "must be \"live\": nothing else can be admitted")},
		{"expires_at", must(!past(c.ExpiresAt, at), "must be in the future")},
		{"seal", must(c.Seal == "", "must be left out: it is what the answer gives")},
		{"store", must(c.Store == "", "is not sealed; leave it out")},
		{"attributes", must(c.Attributes == nil, "are not sealed; leave them out")},
		{"sources", wrongSources(&c, at)},
		{"audience", wrongAudience(&c)},
	} {
		if check.problem != "" {
			return Candidate{}, invalid(pointer+"/"+check.field, "%s", check.problem)
		}
	}
	c.Unstated = 0
	return c, nil
}

// must returns the problem unless the condition holds.
func must(condition bool, problem string) string {
	if condition {
		return ""
	}
	return problem
}

func past(expiry, at time.Time) bool {
	return !expiry.IsZero() && !expiry.Truncate(time.Second).After(at)
}

func wrongTenant(c *Candidate, tenant string) string {
	if c.Tenant != tenant {
		return "must be the tenant of the request"
	}
	return ""
}

func wrongSources(c *Candidate, at time.Time) string {
	if len(c.Sources) == 0 && isDerived(c.Kind) {
		return "are required: a " + c.Kind + " is derived from something"
	}
	for i := range c.Sources {
		switch s := &c.Sources[i]; {
		case s.State != StateLive:
			return "must be \"live\", every one of them"
		case past(s.ExpiresAt, at):
			return "must not have expired, none of them"
		case s.Tenant != "" && s.Tenant != c.Tenant:
			return "must be of the tenant of the item"
		}
	}
	return ""
}

func isDerived(kind string) bool { return slices.Contains([]string{"summary", "node", "edge"}, kind) }

func wrongAudience(c *Candidate) string {
	meet := meetOf(c.Sources)
	switch {
	case c.Audience.Kind == AudienceNone:
		return "is required: a list of principals, \"tenant\" or \"public\", or sources that have one"
	case c.Audience.Kind == AudienceInherited && meet.Kind == AudienceNone:
		return "would be nobody: the audiences of the sources have nobody in common"
	case !within(c.Audience, meet):
		return fmt.Sprintf("must not be wider than what the sources have in common (%s)", meet.Kind)
	}
	return ""
}

// meetOf returns the audience that the sources have in common, everybody where there are none. A source
// that leaves its audience to its own sources bounds nothing; one without either is nobody.
func meetOf(sources []Source) Audience {
	meet := Everybody()
	for i := range sources {
		switch a := sources[i].Audience; {
		case a.Kind == AudienceInherited:
		case within(meet, a):
		case within(a, meet):
			meet = a
		default:
			meet = Principals(slices.DeleteFunc(slices.Clone(meet.Members), func(name string) bool { return !a.has(name) })...)
		}
	}
	return meet
}

// within reports whether nobody is in a who is not in b. A list is within the tenant, as in the
// contract's order of audiences.
func within(a, b Audience) bool {
	switch {
	case a.Kind == AudienceNone, a.Kind == AudienceInherited, b.Kind == AudiencePublic:
		return true
	case b.Kind == AudienceTenant:
		return a.Kind != AudiencePublic
	case a.Kind == AudienceList && b.Kind == AudienceList:
		return len(missing(b, a.Members)) == 0
	default:
		return false
	}
}
