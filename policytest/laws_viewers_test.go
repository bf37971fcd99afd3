package policytest_test

import (
	"context"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
)

// rooms draws two sets of people, the first a proper part of the second and not empty.
func rooms(t *rapid.T) (small, large []string) {
	order := rapid.Permutation(people).Draw(t, "people")
	size := rapid.IntRange(2, len(order)).Draw(t, "size of the large room")
	return order[:rapid.IntRange(1, size-1).Draw(t, "size of the small room")], order[:size]
}

// enter makes exactly these the viewers of the turn, without a doubt.
func (q *question) enter(viewers []string) {
	turn := &q.Request.Turn
	turn.Viewers, turn.ViewersBasis = slices.Clone(viewers), policy.BasisPlatform
	turn.Evidence, turn.ExternalViewers = nil, nil
	q.Facts.Roster = nil
}

// confinement: what was said in a small room does not reach a larger one, by no detour; what was
// said in the larger one reaches the small one.
func confinement(t *rapid.T) claim {
	small, large := rooms(t)
	up := knownViewers(t)
	up.enter(large)
	up.Facts.Grants = nil
	for i := range up.Request.Candidates {
		c := &up.Request.Candidates[i]
		if rapid.Bool().Draw(t, "said in the small room") {
			c.Audience = members(small)
			continue
		}
		c.Sources = append(c.Sources, tell(t, source(members(small)), up))
	}

	down := question{Now: now, Settings: allSettings()[0]}
	down.Request.Turn = policy.Turn{Attempt: 1, Agent: up.Request.Turn.Agent, Tenant: up.Request.Turn.Tenant}
	down.enter(small)
	heard := item(down, members(large))
	summary := item(down, pick(t, []policy.Audience{
		policy.Everybody(), {Kind: policy.AudienceInherited}, members(large), members(small),
	}, "audience of a summary"))
	summary.Kind, summary.Sources = "summary", []policy.Source{tell(t, source(members(large)), down)}
	down.Request.Candidates = []policy.Candidate{heard, summary}

	return func(ctx context.Context, decide policytest.Decider) error {
		answer, err := up.decide(ctx, decide)
		if err != nil {
			return err
		}
		for i, result := range answer.Results {
			if result.Admit {
				return broken([]question{up}, "candidate %d reaches %v from %v", i, large, small)
			}
		}
		if answer, err = down.decide(ctx, decide); err != nil {
			return err
		}
		for i, result := range answer.Results {
			if !result.Admit || !gocmp.Equal(result.Reasons, []string{"audience_covers_viewers"}) {
				return broken([]question{down}, "candidate %d does not reach %v from %v: %v", i, small, large, result.Reasons)
			}
		}
		return nil
	}
}

// tell wraps a source into up to two retellings that claim to be for more than it was.
func tell(t *rapid.T, s policy.Source, q question) policy.Source {
	for range rapid.IntRange(0, 2).Draw(t, "retellings") {
		wider := source(pick(t, []policy.Audience{
			policy.Everybody(), {Kind: policy.AudienceInherited}, members(slices.Clone(people)),
		}, "audience of a retelling"))
		wider.Tenant = pick(t, []string{"", q.Request.Turn.Tenant}, "tenant of a retelling")
		wider.Sources = []policy.Source{s}
		s = wider
	}
	return s
}

// antiMonotonicity: whoever joins known viewers can only hold back. Grants are the exception: they
// are for exactly one set.
func antiMonotonicity(t *rapid.T) claim {
	before := knownViewers(t)
	before.Facts.Grants = nil
	after := before.clone()
	var heard []string // Whoever is in many audiences is drawn often.
	eachAudience(&before, func(a *policy.Audience) { heard = append(heard, a.Members...) })
	heard = slices.DeleteFunc(heard, func(name string) bool { return !slices.Contains(people, name) })
	joiner := pick(t, slices.DeleteFunc(slices.Concat(heard, people, robots, []string{"user:eve", "user:unknown"}),
		func(name string) bool { return slices.Contains(present(before), name) }), "who joins")
	turn := &after.Request.Turn
	turn.Viewers = append(turn.Viewers, joiner)
	if rapid.Bool().Draw(t, "seen by all") {
		for i := range turn.Evidence {
			turn.Evidence[i].Viewers = append(turn.Evidence[i].Viewers, joiner)
		}
		if after.Facts.Roster != nil {
			after.Facts.Roster.Members = distinct(append(after.Facts.Roster.Members, joiner))
		}
	}
	if chance(t, 4, "from outside") {
		turn.ExternalViewers = append(turn.ExternalViewers, joiner)
	}
	return func(ctx context.Context, decide policytest.Decider) error {
		answer, err := before.decide(ctx, decide)
		if err != nil {
			return err
		}
		if !answer.Viewers.Known || len(answer.Viewers.Present) == 0 {
			return broken([]question{before}, "the viewers are not known: %v", answer.Viewers.Reasons)
		}
		return noMore(ctx, decide, before, after)
	}
}

// failClosed: whatever makes the viewers doubtful is reported, and then only what is public
// throughout is admitted. A grant is no help.
func failClosed(t *rapid.T) claim {
	q := knownViewers(t)
	doubt := pick(t, doubts, "doubt")
	doubt.cast(t, &q)
	return func(ctx context.Context, decide policytest.Decider) error {
		answer, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		if answer.Viewers.Known || !slices.Contains(answer.Viewers.Reasons, doubt.code) {
			return broken([]question{q}, "the viewers are %s for %v, without %s", answer.Viewers.Status(), answer.Viewers.Reasons, doubt.code)
		}
		for i, result := range answer.Results {
			if result.Admit && !publicThroughout(&q.Request.Candidates[i]) {
				return broken([]question{q}, "candidate %d is admitted as %v and is not public", i, result.Reasons)
			}
		}
		return nil
	}
}

// publicThroughout reports whether nothing in the candidate says anything but public.
func publicThroughout(c *policy.Candidate) bool {
	public := c.Audience.Kind == policy.AudiencePublic || c.Audience.Kind == policy.AudienceInherited && len(c.Sources) > 0
	sources(c, func(s *policy.Source) {
		inherited := s.Audience.Kind == policy.AudienceInherited && len(s.Sources) > 0
		public = public && (s.Audience.Kind == policy.AudiencePublic || inherited)
	})
	return public
}

// containment: what somebody planted in a channel is admitted only where every viewer was there,
// whatever else its labels claim and through whatever it was laundered. A grant is this service's
// own doing and is left out.
func containment(t *rapid.T) claim {
	q := anyQuestion(t)
	q.Facts.Grants = nil
	channel := some(t, 1, people, "in the channel")
	for i := range q.Request.Candidates {
		c := &q.Request.Candidates[i]
		if rapid.Bool().Draw(t, "the planted item itself") {
			c.Audience = members(channel)
			continue
		}
		if c.Audience.Kind == policy.AudienceNone || rapid.Bool().Draw(t, "claims to be public") {
			c.Audience = policy.Everybody()
		}
		c.Sources = append(c.Sources, tell(t, source(members(channel)), q))
	}
	return func(ctx context.Context, decide policytest.Decider) error {
		answer, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		stranger := !answer.Viewers.Known || slices.ContainsFunc(present(q), func(viewer string) bool {
			return !slices.Contains(channel, viewer)
		})
		for i, result := range answer.Results {
			if result.Admit && stranger {
				return broken([]question{q}, "candidate %d reaches somebody who was not in %v", i, channel)
			}
		}
		return nil
	}
}
