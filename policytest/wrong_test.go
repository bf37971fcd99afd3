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

// A wrong Decider reads the contract right and the question wrong, or the other way round. Each is
// a mistake that somebody could make.

// asked returns the plain reading of another question than the one that was asked.
func asked(ctx context.Context, q question, mistake func(*question)) (reading.Answer, error) {
	q = q.clone()
	mistake(&q)
	return policytest.Plain(ctx, q.Now, q.Settings, q.Facts, q.Request)
}

func each(q *question, mistake func(*policy.Candidate)) {
	for i := range q.Request.Candidates {
		mistake(&q.Request.Candidates[i])
	}
}

// expiringLate: an item is good for one more nanosecond.
func expiringLate(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		each(q, func(c *policy.Candidate) {
			if !c.ExpiresAt.IsZero() {
				c.ExpiresAt = c.ExpiresAt.Add(1)
			}
		})
	})
}

// anyOverlap: one viewer who was there is enough.
func anyOverlap(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		widen := func(a *policy.Audience) {
			for _, viewer := range present(*q) {
				if slices.Contains(a.Members, viewer) {
					a.Members = append(a.Members, present(*q)...)
					return
				}
			}
		}
		each(q, func(c *policy.Candidate) {
			widen(&c.Audience)
			sources(c, func(s *policy.Source) { widen(&s.Audience) })
		})
	})
}

// everyMemberIsHere: the audience is held against the viewers, the wrong way round.
func everyMemberIsHere(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		turn := func(a *policy.Audience) {
			outside := slices.ContainsFunc(a.Members, func(name string) bool { return !slices.Contains(present(*q), name) })
			if len(a.Members) > 0 && !outside {
				a.Members = present(*q)
			} else if len(a.Members) > 0 {
				a.Members = []string{"user:nobody"}
			}
		}
		each(q, func(c *policy.Candidate) {
			turn(&c.Audience)
			sources(c, func(s *policy.Source) { turn(&s.Audience) })
		})
	})
}

// exactlyThese: a list is for exactly its members, all of them together.
func exactlyThese(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		each(q, func(c *policy.Candidate) {
			if c.Audience.Kind == policy.AudienceList && !slices.Equal(distinct(c.Audience.Members), present(*q)) {
				c.Audience = policy.Audience{}
			}
		})
	})
}

// trusting: the caller's word for the viewers is good enough.
func trusting(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		q.Request.Turn.ViewersBasis, q.Request.Turn.Evidence, q.Facts.Roster = policy.BasisPlatform, nil, nil
	})
}

// withoutSources: the declared audience counts, and nothing that the item was derived from.
func withoutSources(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		each(q, func(c *policy.Candidate) {
			if c.Audience.Kind != policy.AudienceInherited {
				c.Sources, c.Kind = nil, policy.KindFact
			}
		})
	})
}

// firstViewer: the one who is named first speaks for the room.
func firstViewer(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return asked(ctx, question{now, s, facts, req}, func(q *question) {
		if len(q.Request.Turn.Viewers) > 0 {
			q.Request.Turn.Viewers = q.Request.Turn.Viewers[:1]
		}
	})
}

// operatorLooksOn: somebody whose name the code knows is never in the way.
func operatorLooksOn(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	s.InternalBots = append(slices.Clone(s.InternalBots), "user:ann")
	return policytest.Plain(ctx, now, s, facts, req)
}

// allOrNothing: one malformed candidate and the whole request is denied.
func allOrNothing(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	answer, err := policytest.Plain(ctx, now, s, facts, req)
	if slices.ContainsFunc(answer.Results, func(r policy.Result) bool { return slices.Contains(r.Reasons, policy.CodeMalformed) }) {
		for i := range answer.Results {
			answer.Results[i] = policy.Result{ID: answer.Results[i].ID, Reasons: []string{policy.CodeMalformed}}
		}
	}
	return answer, err
}

// moody returns a Decider that lives every other question a day later, as one that reads the clock
// itself might.
func moody() policytest.Decider {
	var asked atomic.Int64
	return func(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
		if asked.Add(1)%2 == 0 {
			now = now.AddDate(0, 0, 1)
		}
		return policytest.Plain(ctx, now, s, facts, req)
	}
}
