package policy

import "slices"

// covers is the engine's own reading of the rule, apart from the policy: it reports whether every
// viewer of the entry is in the effective audience of the candidate at position, the meet of its
// declared audience and every source's. No policy can switch it off; it can only deny.
func (e *Engine) covers(entry *Entry, position int) bool {
	c := &entry.Request.Candidates[position]
	turn := &entry.Request.Turn
	switch {
	case len(c.Faults) > 0:
		return false
	case c.Seal != "" && entry.Facts.Seals[position].Status != SealValid:
		return false
	case isPublic(c):
		return true
	case !entry.Viewers.Known || !e.certain(entry):
		return false
	case !sameTenant(turn, c) || e.anyRevoked(entry):
		return false
	}
	if grant := entry.Facts.Grants[position]; len(grant) > 0 && slices.Equal(grant, entry.Viewers.Present) {
		return true
	}
	external := len(turn.ExternalViewers) > 0
	if !bounds(c.Audience, entry.Viewers.Present, external) {
		return false
	}
	for i := range c.Sources {
		if !bounds(c.Sources[i].Audience, entry.Viewers.Present, external) {
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

// certain reports whether nothing that was handed in contradicts the viewers. The policy knows more
// doubts, which depend on settings.
func (e *Engine) certain(entry *Entry) bool {
	turn := &entry.Request.Turn
	present := entry.Viewers.Present
	if len(present) == 0 || turn.ViewersBasis != BasisPlatform {
		return false
	}
	for _, reading := range turn.Evidence {
		if !reading.Complete || !slices.Equal(e.withoutBots(reading.Viewers), present) {
			return false
		}
	}
	if roster := entry.Facts.Roster; roster != nil && !slices.Equal(e.withoutBots(roster.Members), present) {
		return false
	}
	return true
}

// sameTenant reports whether an item that is not public, and all it was derived from, is of the
// turn's tenant: a name means another person elsewhere.
func sameTenant(turn *Turn, c *Candidate) bool {
	if c.Tenant != turn.Tenant {
		return false
	}
	for i := range c.Sources {
		if tenant := c.Sources[i].Tenant; tenant != "" && tenant != turn.Tenant {
			return false
		}
	}
	return true
}

// anyRevoked reports whether the access of a viewer was withdrawn.
func (e *Engine) anyRevoked(entry *Entry) bool {
	for _, viewer := range entry.Viewers.Present {
		if e.revoked[viewer] || slices.Contains(entry.Request.Turn.RevokedViewers, viewer) {
			return true
		}
		if roster := entry.Facts.Roster; roster != nil && slices.Contains(roster.Revoked, viewer) {
			return true
		}
	}
	return false
}

// withoutBots returns names without the declared internal bots, in order.
func (e *Engine) withoutBots(names []string) []string {
	var people []string
	for _, name := range names {
		if !e.bots[name] {
			people = append(people, name)
		}
	}
	return people
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
