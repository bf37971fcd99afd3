package policytest_test

import (
	"earshot/policy"
)

// sharings is everything that is asked of sharing between two agents, of an item with no source or one.
// Nothing here is left to stand for anything else. Fixed: one viewer, who is in the audience of the
// item; one tenant; sources are public.
func (s *sweep) sharings() {
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
