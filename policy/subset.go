package policy

import "slices"

// covers is the engine's own reading of the rule, apart from the policy: it reports whether every
// viewer of the entry is in the effective audience of the candidate at position, the meet of its
// declared audience and every source's. No policy can switch it off; it can only deny.
func covers(e *Entry, position int) bool {
	c := &e.Request.Candidates[position]
	if len(c.Faults) > 0 {
		return false
	}
	if isPublic(c) {
		return true
	}
	if !e.Viewers.Known || len(e.Viewers.Present) == 0 {
		return false
	}
	if grant := e.Facts.Grants[position]; len(grant) > 0 && slices.Equal(grant, e.Viewers.Present) {
		return true
	}
	external := len(e.Request.Turn.ExternalViewers) > 0
	if !bounds(c.Audience, e.Viewers.Present, external) {
		return false
	}
	for i := range c.Sources {
		if !bounds(c.Sources[i].Audience, e.Viewers.Present, external) {
			return false
		}
	}
	return true
}

// isPublic reports whether the effective audience is everybody.
func isPublic(c *Candidate) bool {
	bound := false
	for i := -1; i < len(c.Sources); i++ {
		kind := c.Audience.Kind
		if i >= 0 {
			kind = c.Sources[i].Audience.Kind
		}
		switch kind {
		case AudienceInherited:
		case AudiencePublic:
			bound = true
		default:
			return false
		}
	}
	return bound
}

// bounds reports whether one audience has room for all viewers.
func bounds(a Audience, viewers []string, external bool) bool {
	switch a.Kind {
	case AudiencePublic, AudienceInherited:
		return true
	case AudienceTenant:
		return !external
	case AudienceList:
		return len(missing(a, viewers)) == 0
	default:
		return false
	}
}

// missing returns the viewers that a list leaves out, sorted as they are.
func missing(a Audience, viewers []string) []string {
	var out []string
	for _, v := range viewers {
		if !a.has(v) {
			out = append(out, v)
		}
	}
	return out
}
