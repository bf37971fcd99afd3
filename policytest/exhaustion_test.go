package policytest_test

import (
	"errors"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// The small worlds: four people, two agents, two tenants, every audience, one level of sources. All
// of them are counted. Names have no meaning but to be equal or not (the law "other names change
// nothing" holds the decision point to that), so of those that differ in names alone, one is
// decided, and not always the one whose names are in order. How many they stand for must add up to
// the count. The settings are the shipped ones, which name none of the people, agents and tenants.

// TestEveryAudienceInEveryRoom is the small worlds: any viewers, agent and tenant of the turn; any
// audience, agent and tenant of the item; no source, or one with any audience, agent and tenant. All
// that is asked of sharing between agents is in order.
func TestEveryAudienceInEveryRoom(t *testing.T) {
	var s sweep
	for _, viewers := range smallViewers() {
		for _, agent := range agents[:2] {
			for _, tenant := range tenants {
				q := smallTurn(agent, tenant)
				who := q.enterSmall(viewers)
				s.enter(q)
				s.audiences(who)
			}
		}
	}
	// 17 viewers × 2 agents × 3 tenants, × (18 audiences × 3 agents × 3 tenants without a source, and
	// 19 × 3 × 3 × 18 × 3 × 3 with one).
	s.check(t, 17*2*3*(18*3*3+19*3*3*18*3*3), 76_506)
	s.run(t)
}

// audiences adds every candidate to the turn.
func (s *sweep) audiences(viewers crowd) {
	turn := &s.turn.Request.Turn
	anyAgent := append([]string{""}, agents[:2]...)
	agentsAlike := orbitOfNames(agents[0], turn.Agent)
	for _, declared := range append(smallAudiences(), smallAudience{kind: policy.AudienceInherited}) {
		for _, agent := range anyAgent {
			for _, tenant := range tenants {
				told := func() policy.Candidate {
					c := item(s.turn, declared.audience())
					c.Agent, c.Tenant, c.Shared = agent, tenant, true
					return c
				}
				if declared.kind != policy.AudienceInherited {
					s.add(agentsAlike*orbitOfNames(tenants[0], turn.Tenant, tenant)*orbitOfPeople(viewers, declared.crowd), told)
				}
				for _, of := range smallAudiences() {
					peopleAlike := orbitOfPeople(viewers, declared.crowd, of.crowd)
					for _, sourceAgent := range anyAgent {
						for _, sourceTenant := range tenants {
							tenantsAlike := orbitOfNames(tenants[0], turn.Tenant, tenant, sourceTenant)
							s.add(agentsAlike*tenantsAlike*peopleAlike, func() policy.Candidate {
								from := source(of.audience())
								from.Agent, from.Tenant, from.Confidential = sourceAgent, sourceTenant, policy.NotConfidential
								return derived(told(), from)
							})
						}
					}
				}
			}
		}
	}
}

// derived returns c as a summary of one source.
func derived(c policy.Candidate, from policy.Source) policy.Candidate {
	c.Kind, c.Sources = "summary", []policy.Source{from}
	return c
}

// TestEveryGuestAndEveryWithdrawal adds to the rooms who of them comes from outside and whose access
// was withdrawn, for every audience of an item and of a source.
func TestEveryGuestAndEveryWithdrawal(t *testing.T) {
	var s sweep
	for _, viewers := range smallViewers() {
		for _, external := range crowds() {
			for _, revoked := range crowds() {
				q := smallTurn(agents[0], tenants[0])
				who := q.enterSmall(viewers)
				if external&^who != 0 {
					continue // Guests are among the viewers.
				}
				q.Request.Turn.ExternalViewers, q.Request.Turn.RevokedViewers = external.names(), revoked.names()
				s.enter(q)
				for _, declared := range append(smallAudiences(), smallAudience{kind: policy.AudienceInherited}) {
					told := func() policy.Candidate { return item(q, declared.audience()) }
					if declared.kind != policy.AudienceInherited {
						s.add(orbitOfPeople(who, external, revoked, declared.crowd), told)
					}
					for _, of := range smallAudiences() {
						s.add(orbitOfPeople(who, external, revoked, declared.crowd, of.crowd), func() policy.Candidate {
							return derived(told(), source(of.audience()))
						})
					}
				}
			}
		}
	}
	// 81 sets of viewers with guests among them, and unknown ones; 16 sets of withdrawals.
	s.check(t, (81+1)*16*(18+19*18), 27_328)
	s.run(t)
}

// TestEverySharing is everything that is asked of sharing between two agents, of an item with no
// source or one. Nothing here is left to stand for anything else.
func TestEverySharing(t *testing.T) {
	var s sweep
	anyConfidentiality := []policy.Confidentiality{policy.ConfidentialityUnstated, policy.Confidential, policy.NotConfidential}
	yesNo := []bool{true, false}
	anyAgent := append([]string{""}, agents[:2]...)
	for _, authorized := range [][]string{nil, agents[:1], agents[1:2], agents[:2]} {
		for _, allowConfidential := range yesNo {
			for _, allowUnattributed := range yesNo {
				q := smallTurn(agents[0], tenants[0])
				q.Request.Turn.Viewers = people[:1]
				q.Request.Inheritance = policy.Inheritance{
					AuthorizedAgents: authorized, AllowConfidential: allowConfidential, AllowUnattributed: allowUnattributed,
				}
				s.enter(q)
				for _, kind := range policy.Kinds() {
					for _, agent := range anyAgent {
						for _, shared := range yesNo {
							for _, confidential := range anyConfidentiality {
								c := item(q, members(people[:2]))
								c.Kind, c.Agent, c.Shared, c.Confidential = kind, agent, shared, confidential
								s.sharing(c, anyAgent, anyConfidentiality)
							}
						}
					}
				}
			}
		}
	}
	// 4 authorisations × 2 × 2 switches × 9 kinds × 3 agents × 2 × 3 confidentialities, with no source
	// or one of 3 agents × 3 confidentialities.
	s.check(t, 4*2*2*9*3*2*3*(1+3*3), 4*2*2*9*3*2*3*(1+3*3))
	s.run(t)
}

// sharing adds c without a source, and with each of one.
func (s *sweep) sharing(c policy.Candidate, anyAgent []string, anyConfidentiality []policy.Confidentiality) {
	s.add(1, func() policy.Candidate { return c })
	for _, agent := range anyAgent {
		for _, confidential := range anyConfidentiality {
			s.add(1, func() policy.Candidate {
				from := source(policy.Everybody())
				from.Agent, from.Confidential = agent, confidential
				c := c
				c.Sources = []policy.Source{from}
				return c
			})
		}
	}
}

// TestSmallWorldsShowMistakes holds wrong Deciders against the reading in the smallest of rooms.
func TestSmallWorldsShowMistakes(t *testing.T) {
	var s sweep
	viewers := crowd(0b1100)
	q := smallTurn(agents[0], tenants[0])
	q.enterSmall(&viewers)
	s.enter(q)
	s.audiences(viewers)
	for name, wrong := range map[string]policytest.Decider{
		"any overlap": anyOverlap, "every member is here": everyMemberIsHere, "exactly these": exactlyThese,
		"without sources": withoutSources, "the first viewer": firstViewer, "the operator looks on": operatorLooksOn,
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range s.questions() {
				err := q.compare(t.Context(), wrong)
				if errors.Is(err, errBroken) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Error("nothing shows the mistake")
		})
	}
}
