package policytest_test

import (
	"earshot/policy"
)

// everyRoom is any viewers, agent and tenant of the turn; any audience, agent and tenant of the item;
// no source, or one with any audience, agent and tenant. Fixed: nobody is a guest or withdrawn; items
// are shared, by agents that are authorised; sources are not confidential; an item is a fact, or with a
// source a summary.
func (s *sweep) everyRoom() {
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
