package policytest_test

import (
	"maps"
	"slices"
	"strings"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// engineQuestions put another question to the decision point than the one that was asked.
func engineQuestions() []mutant {
	return []mutant{
		asks("any overlap instead of subset, in the program", "joins_and_leaves", anyOverlap),
		asks("an item lasts a nanosecond longer", "expiry/an_item_that_expires_now", expiringLate),
		asks("every member must be here", "empty_sets", everyMemberIsHere),
		asks("a list is for exactly its members", "empty_sets", exactlyThese),
		asks("the evidence and the roster are ignored", "rosters", trusting),
		asks("only the declared audience is handed on", "derived/a_summary_does_not_become", withoutSources),
		asks("the viewer who is named first speaks for the room", "guests/the_rights_of_the_one_who_asks", firstViewer),
		asks("an operator is never in the way", "joins_and_leaves", operatorLooksOn),
		asks("missing viewers are taken from a reading", "rosters/a_reading_takes_the_place", func(q *question) {
			if turn := &q.Request.Turn; turn.Viewers == nil && len(turn.Evidence) > 0 {
				turn.Viewers = turn.Evidence[0].Viewers
			}
		}),
		asks("missing viewers are taken from the roster", "rosters/a_roster_kept_here", func(q *question) {
			if q.Request.Turn.Viewers == nil && q.Facts.Roster != nil {
				q.Request.Turn.Viewers = q.Facts.Roster.Members
			}
		}),
		asks("missing viewers are one who is called default", "null_and_default", func(q *question) {
			if q.Request.Turn.Viewers == nil {
				q.Request.Turn.Viewers = []string{"user:default"}
			}
		}),
		asks("only those whom every reading names are in the room", "rosters/two_readings_that_differ", func(q *question) {
			turn := &q.Request.Turn
			for _, r := range turn.Evidence {
				turn.Viewers = slices.DeleteFunc(turn.Viewers, func(v string) bool { return !slices.Contains(r.Viewers, v) })
			}
			for i := range turn.Evidence {
				turn.Evidence[i].Viewers = turn.Viewers
			}
		}),
		asks("the last reading is the right one", "rosters/two_readings_that_differ", func(q *question) {
			if turn := &q.Request.Turn; len(turn.Evidence) > 0 {
				turn.Viewers = turn.Evidence[len(turn.Evidence)-1].Viewers
				turn.Evidence = turn.Evidence[len(turn.Evidence)-1:]
			}
		}),
		asks("the roster corrects the caller", "rosters/the_roster_kept_here_outranks", func(q *question) {
			if q.Facts.Roster != nil && q.Request.Turn.Viewers != nil {
				q.Request.Turn.Viewers = q.Facts.Roster.Members
			}
		}),
		asks("bots are told by their names", "bots/a_bot_in_the_room", func(q *question) {
			q.Request.Turn.Viewers = slices.DeleteFunc(q.Request.Turn.Viewers, func(v string) bool { return strings.HasPrefix(v, "bot:") })
		}),
		asks("a viewer who has left the tenant is left out", "joins_and_leaves/a_person_whose_access", func(q *question) {
			turn := &q.Request.Turn
			turn.Viewers = slices.DeleteFunc(turn.Viewers, func(v string) bool { return slices.Contains(turn.RevokedViewers, v) })
		}),
		asks("a guest is not told apart", "guests/a_guest_does_not_belong", func(q *question) { q.Request.Turn.ExternalViewers = nil }),
		asks("a guest is not counted", "guests/the_rights_of_the_one_who_asks", func(q *question) {
			turn := &q.Request.Turn
			turn.Viewers = slices.DeleteFunc(turn.Viewers, func(v string) bool { return slices.Contains(turn.ExternalViewers, v) })
			turn.ExternalViewers = nil
		}),
		asks("an item of the tenant is for whoever is in it now", "guests/a_guest_does_not_belong", func(q *question) {
			eachAudience(q, func(a *policy.Audience) {
				if a.Kind == policy.AudienceTenant {
					*a = members(present(*q))
				}
			})
		}),
		asks("the tenant is the turn's", "tenants", func(q *question) {
			each(q, func(c *policy.Candidate) { c.Tenant = q.Request.Turn.Tenant })
		}),
		asks("the same channel is enough", "weak_keys/a_session_that_outlives", func(q *question) {
			opens(q, func(c *policy.Candidate) bool { return c.Channel != "" && c.Channel == q.Request.Turn.Channel })
		}),
		asks("an item of the agent itself always passes", "private_to_group", func(q *question) {
			opens(q, func(c *policy.Candidate) bool { return c.Agent == q.Request.Turn.Agent })
		}),
		asks("a tool result is nobody's secret", "caches/a_cached_tool_result", func(q *question) {
			opens(q, func(c *policy.Candidate) bool { return c.Kind == "tool_result" })
		}),
		asks("what stood in a cache was decided before", "caches/a_cached_answer_is_as_narrow", func(q *question) {
			opens(q, func(c *policy.Candidate) bool { return strings.HasSuffix(c.Store, "cache") })
		}),
		asks("the attributes of an item widen its audience", "injection/attributes_of", func(q *question) {
			opens(q, func(c *policy.Candidate) bool { return strings.Contains(string(c.Attributes), "public") })
		}),
		asks("an item without an agent is the agent's own", "cross_agent/an_item_of_nobody", func(q *question) {
			each(q, func(c *policy.Candidate) {
				if c.Agent == "" {
					c.Agent = q.Request.Turn.Agent
				}
			})
		}),
		asks("an item is attributed to the agent that reads it", "child_agents", func(q *question) {
			each(q, func(c *policy.Candidate) { c.Agent = q.Request.Turn.Agent })
		}),
		asks("sources of sources are not read", "derived/sources_of_sources", func(q *question) {
			each(q, func(c *policy.Candidate) {
				for i := range c.Sources {
					if c.Sources[i].Audience.Kind != policy.AudienceInherited {
						c.Sources[i].Sources = nil
					}
				}
			})
		}),
		asks("a grant is inherited by what is derived", "grants", func(q *question) {
			grants := q.clone().Facts.Grants
			for _, position := range slices.Sorted(maps.Keys(grants)) {
				viewers := grants[position]
				for i := range q.Request.Candidates {
					sources(&q.Request.Candidates[i], func(s *policy.Source) {
						if s.ID != "" && s.ID == q.Request.Candidates[position].ID {
							q.Facts.Grants[i] = viewers
						}
					})
				}
			}
		}),
		asks("a grant of an id is for all that have the id", "grants", func(q *question) {
			grants := q.clone().Facts.Grants
			for _, position := range slices.Sorted(maps.Keys(grants)) {
				viewers := grants[position]
				for i := range q.Request.Candidates {
					if q.Request.Candidates[i].ID == q.Request.Candidates[position].ID {
						q.Facts.Grants[i] = viewers
					}
				}
			}
		}),
		asks("the time of a decision is cut to the minute", "expiry", func(q *question) { q.Now = q.Now.Truncate(60e9) }),
		decides("the clock of the machine decides", "", moody),
	}
}

// opens gives everybody who listens a place in the audience of the candidates that a mistake is about.
func opens(q *question, about func(*policy.Candidate) bool) {
	each(q, func(c *policy.Candidate) {
		if !about(c) {
			return
		}
		c.Audience = members(present(*q))
		if len(present(*q)) == 0 {
			c.Audience = policy.Everybody()
		}
		c.Sources = nil
	})
}

// decidesThen is a mutant that changes the answer.
func decidesThen(mistake, about string, mistakes func(question, *reading.Answer)) mutant {
	return decides(mistake, about, func(d policytest.Decider) policytest.Decider { return answering(d, mistakes) })
}
