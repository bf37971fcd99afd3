package policytest_test

import (
	"context"
	"slices"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
)

// narrowing: an audience or a source that is for fewer never admits more. Grants are left out: they
// stand beside the audience.
func narrowing(t *rapid.T) claim {
	before := anyQuestion(t)
	before.Facts.Grants = nil
	after := before.clone()
	c := &after.Request.Candidates[rapid.IntRange(0, len(after.Request.Candidates)-1).Draw(t, "candidate")]
	var audiences []*policy.Audience
	add := func(a *policy.Audience, sources []policy.Source) {
		if a.Kind != policy.AudienceInherited || len(sources) > 0 { // Else it is nobody already.
			audiences = append(audiences, a)
		}
	}
	add(&c.Audience, c.Sources)
	sources(c, func(s *policy.Source) { add(&s.Audience, s.Sources) })
	if len(audiences) > 0 {
		narrow(t, pick(t, audiences, "audience to narrow"), after)
	}
	if len(c.Sources) > 0 && chance(t, 4, "one more source") {
		c.Sources = append(c.Sources, source(audience(t, after, "audience of one more source")))
	}
	return func(ctx context.Context, decide policytest.Decider) error {
		return noMore(ctx, decide, before, after)
	}
}

// narrow replaces a by an audience below it: public is the top, the tenant is below it, and lists
// are below the tenant as long as nobody from outside is on them. An audience that is left out is
// the meet of the sources, so that stating any narrows it.
func narrow(t *rapid.T, a *policy.Audience, q question) {
	insiders := slices.DeleteFunc(distinct(people), func(name string) bool {
		return slices.Contains(q.Request.Turn.ExternalViewers, name)
	})
	switch a.Kind {
	case policy.AudienceInherited:
		*a = audience(t, q, "stated audience")
	case policy.AudiencePublic:
		*a = pick(t, []policy.Audience{{}, policy.WholeTenant(), members(some(t, 0, people, "list"))}, "below public")
	case policy.AudienceTenant:
		*a = pick(t, []policy.Audience{{}, members(some(t, 0, insiders, "list"))}, "below the tenant")
	case policy.AudienceList:
		viewers := rapid.Bool().Draw(t, "to the viewers")
		*a = members(slices.DeleteFunc(slices.Clone(a.Members), func(name string) bool {
			switch {
			case policy.CheckPrincipal(name) != nil:
				return false // The list would no longer be malformed.
			case viewers:
				return !slices.Contains(present(q), name)
			default:
				return rapid.Bool().Draw(t, "off the list")
			}
		}))
	case policy.AudienceNone:
		// There is nothing below nobody.
	}
}
