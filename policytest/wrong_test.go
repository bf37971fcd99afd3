package policytest_test

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// A wrong Decider hears another question than the one it was asked, or changes the answer. Each is a
// mistake that somebody could make.

// asking returns a Decider that puts a question to decide after a mistake about it.
func asking(decide policytest.Decider, mistake func(*question)) policytest.Decider {
	return func(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
		q := question{now, s, facts, req}.clone()
		mistake(&q)
		return decide(ctx, q.Now, q.Settings, q.Facts, q.Request)
	}
}

// answering returns a Decider that makes a mistake about an answer of decide.
func answering(decide policytest.Decider, mistake func(question, *reading.Answer)) policytest.Decider {
	return func(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
		answer, err := decide(ctx, now, s, facts, req)
		if err == nil {
			answer.Results = slices.Clone(answer.Results)
			mistake(question{now, s, facts, req}, &answer)
		}
		return answer, err
	}
}

// misheard returns the plain reading of another question.
func misheard(mistake func(*question)) policytest.Decider { return asking(policytest.Plain, mistake) }

// each calls visit with every candidate.
func each(q *question, visit func(*policy.Candidate)) {
	for i := range q.Request.Candidates {
		visit(&q.Request.Candidates[i])
	}
}

// eachAudience calls visit with every audience, of candidates and of sources.
func eachAudience(q *question, visit func(*policy.Audience)) {
	each(q, func(c *policy.Candidate) {
		visit(&c.Audience)
		sources(c, func(s *policy.Source) { visit(&s.Audience) })
	})
}

// expiringLate: an item is good for one more nanosecond.
func expiringLate(q *question) {
	each(q, func(c *policy.Candidate) {
		if !c.ExpiresAt.IsZero() {
			c.ExpiresAt = c.ExpiresAt.Add(1)
		}
	})
}

// anyOverlap: one viewer who was there is enough.
func anyOverlap(q *question) {
	eachAudience(q, func(a *policy.Audience) {
		if slices.ContainsFunc(present(*q), func(viewer string) bool { return slices.Contains(a.Members, viewer) }) {
			a.Members = append(a.Members, present(*q)...)
		}
	})
}

// everyMemberIsHere: the audience is held against the viewers, the wrong way round.
func everyMemberIsHere(q *question) {
	eachAudience(q, func(a *policy.Audience) {
		outside := slices.ContainsFunc(a.Members, func(name string) bool { return !slices.Contains(present(*q), name) })
		if len(a.Members) > 0 && !outside {
			a.Members = present(*q)
		} else if len(a.Members) > 0 {
			a.Members = []string{"user:nobody"}
		}
	})
}

// exactlyThese: a list is for exactly its members, all of them together.
func exactlyThese(q *question) {
	each(q, func(c *policy.Candidate) {
		if c.Audience.Kind == policy.AudienceList && !slices.Equal(distinct(c.Audience.Members), present(*q)) {
			c.Audience = policy.Audience{}
		}
	})
}

// trusting: the caller's word for the viewers is good enough.
func trusting(q *question) {
	q.Request.Turn.ViewersBasis, q.Request.Turn.Evidence, q.Facts.Roster = policy.BasisPlatform, nil, nil
}

// withoutSources: the declared audience counts, and nothing that the item was derived from.
func withoutSources(q *question) {
	each(q, func(c *policy.Candidate) {
		if c.Audience.Kind != policy.AudienceInherited {
			c.Sources, c.Kind = nil, policy.KindFact
		}
	})
}

// firstViewer: the one who is named first speaks for the room.
func firstViewer(q *question) {
	if len(q.Request.Turn.Viewers) > 0 {
		q.Request.Turn.Viewers = q.Request.Turn.Viewers[:1]
	}
}

// operatorLooksOn: somebody whose name the code knows is never in the way.
func operatorLooksOn(q *question) {
	q.Settings.InternalBots = append(slices.Clone(q.Settings.InternalBots), "user:ann")
}

// allOrNothing: one malformed candidate and the whole request is denied.
func allOrNothing(_ question, answer *reading.Answer) {
	if slices.ContainsFunc(answer.Results, isMalformed) {
		for i := range answer.Results {
			answer.Results[i] = denied(answer.Results[i].ID, policy.CodeMalformed)
		}
	}
}

func isMalformed(r policy.Result) bool { return slices.Contains(r.Reasons, policy.CodeMalformed) }

func denied(id, code string) policy.Result { return policy.Result{ID: id, Reasons: []string{code}} }

// moody returns a Decider that lives every other question a day later, as one that reads the clock
// itself might.
func moody(decide policytest.Decider) policytest.Decider {
	var asked atomic.Int64
	return asking(decide, func(q *question) {
		if asked.Add(1)%2 == 0 {
			q.Now = q.Now.AddDate(0, 0, 1)
		}
	})
}
