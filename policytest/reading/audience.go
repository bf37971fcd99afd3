package reading

import "earshot/policy"

// level is how wide an effective audience is.
type level int

const (
	nobody level = iota
	listed
	wholeTenant
	everybody
)

// effective is an audience after the meet over the declared one and every source's.
type effective struct {
	level level
	names set // where listed; empty where the lists have nobody in common
}

// effectiveAudience returns the meet of the declared audience and every source's, at any depth.
func effectiveAudience(c policy.Candidate) effective {
	meet := effective{level: everybody}
	for _, bound := range bounds(c) {
		meet = meetOf(meet, bound)
	}
	return meet
}

// bounds returns the declared audience and every source's. An audience that is left out by
// something with sources is no bound: the sources are.
func bounds(c policy.Candidate) []policy.Audience {
	var all []policy.Audience
	if !inherits(c.Audience, c.Sources) {
		all = append(all, c.Audience)
	}
	for _, source := range everySource(c.Sources) {
		if !inherits(source.Audience, source.Sources) {
			all = append(all, source.Audience)
		}
	}
	return all
}

func inherits(a policy.Audience, sources []policy.Source) bool {
	return a.Kind == policy.AudienceInherited && len(sources) > 0
}

// everySource returns the sources and theirs.
func everySource(sources []policy.Source) []policy.Source {
	var all []policy.Source
	for _, source := range sources {
		all = append(all, source)
		all = append(all, everySource(source.Sources)...)
	}
	return all
}

func levelOf(a policy.Audience) level {
	switch {
	case a.Kind == policy.AudiencePublic:
		return everybody
	case a.Kind == policy.AudienceTenant:
		return wholeTenant
	case a.Kind == policy.AudienceList && len(a.Members) > 0:
		return listed
	default:
		return nobody
	}
}

func meetOf(e effective, a policy.Audience) effective {
	switch {
	case levelOf(a) < e.level:
		return effective{level: levelOf(a), names: setOf(a.Members)}
	case levelOf(a) == listed && e.level == listed:
		both := set{}
		for _, name := range a.Members {
			if e.names[name] {
				both[name] = true
			}
		}
		return effective{level: listed, names: both}
	default:
		return e
	}
}

// leavesOut reports whether the audience is a list that misses somebody who is present.
func (m matter) leavesOut(a policy.Audience) bool {
	if levelOf(a) != listed {
		return false
	}
	members := setOf(a.Members)
	for name := range m.present {
		if !members[name] {
			return true
		}
	}
	return false
}
