package policytest_test

import (
	"slices"
	"testing"

	"earshot/policy"
)

// The small worlds: four people, two agents, two tenants, every audience, at most one source. All that
// a slice lets vary is counted, in every combination. Names have no meaning but to be equal or not (the
// law "other names change nothing" holds the decision point to that), so of those that differ in names
// alone one is decided, under two namings. How many they stand for must add up to the count. A slice in
// which all are decided needs no second naming.
//
// Every slice holds this fixed: the viewers come from the platform, with no reading of the room and no
// roster; nothing is granted, sealed or expired; each item is live and its audience was recorded; the
// settings are the shipped ones, which name none of the people, agents and tenants. A combination that
// two slices share is counted in both.
var smallWorlds = []struct {
	name string
	fill func(*sweep)

	counted, decided int
}{
	// 17 viewers × 2 agents × 3 tenants, × (18 audiences × 3 agents × 3 tenants without a source, and
	// 19 × 3 × 3 × 18 × 3 × 3 with one).
	{"rooms", (*sweep).everyRoom, 17 * 2 * 3 * (18*3*3 + 19*3*3*18*3*3), 76_506},

	// 81 sets of viewers with guests among them, and unknown ones; 16 sets of withdrawals; 18 audiences
	// without a source, and 19 × 18 with one.
	{"guests and withdrawals", (*sweep).withdrawals, (81 + 1) * 16 * (18 + 19*18), 27_328},

	// The same viewers, × 3 tenants of the turn × 3 of the item, × 4 audiences without a source, and
	// 5 × 4 × 3 tenants of the source with one.
	{"guests and tenants", (*sweep).guests, (81 + 1) * 3 * 3 * (4 + 5*4*3), 4_800},

	// 4 authorisations × 2 × 2 switches × 9 kinds × 3 agents × 2 × 3 confidentialities, with no source
	// or one of 3 agents × 3 confidentialities.
	{"sharing", (*sweep).sharings, 4 * 2 * 2 * 9 * 3 * 2 * 3 * (1 + 3*3), 4 * 2 * 2 * 9 * 3 * 2 * 3 * (1 + 3*3)},
}

// smallWorldsCounted is the sum over the slices.
const smallWorldsCounted = 3_387_600

// TestSmallWorlds decides every slice and compares each answer with the plain reading.
func TestSmallWorlds(t *testing.T) {
	counted, decided := 0, 0
	for _, slice := range smallWorlds {
		var s sweep
		slice.fill(&s)
		counted += s.counted
		decided += s.decided
		t.Run(slice.name, func(t *testing.T) {
			s.check(t, slice.counted, slice.decided)
			s.run(t)
		})
	}
	t.Logf("%d turns with a candidate in all; %d were decided and stand for the rest", counted, decided)
	if counted != smallWorldsCounted {
		t.Errorf("%d counted in all, want %d", counted, smallWorldsCounted)
	}
}

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

// everyGuest calls visit for any viewers with any guests among them, in a turn of the first agent and
// the tenant.
func everyGuest(tenant string, visit func(q question, who, guests crowd)) {
	for _, viewers := range smallViewers() {
		for _, guests := range crowds() {
			q := smallTurn(agents[0], tenant)
			who := q.enterSmall(viewers)
			if guests&^who != 0 {
				continue // Guests are among the viewers.
			}
			q.Request.Turn.ExternalViewers = guests.names()
			visit(q, who, guests)
		}
	}
}

// withdrawals is any viewers, any guests among them, and anybody whose access was withdrawn; any
// audience of the item; no source, or one with any audience. Fixed: one agent, whose own the item is,
// and one tenant; the source names neither.
func (s *sweep) withdrawals() {
	everyGuest(tenants[0], func(q question, who, guests crowd) {
		for _, revoked := range crowds() {
			q := q.clone()
			q.Request.Turn.RevokedViewers = revoked.names()
			s.enter(q)
			s.ofTenants(smallAudiences(), tenants[:1], []string{""}, who, guests, revoked)
		}
	})
}

// guests is any viewers with any guests among them; any tenant of the turn, the item and the source; no
// source, or one. Fixed: one agent, whose own the item is; nobody is withdrawn; the audiences are
// nobody, the tenant, everybody and the list of all four people.
func (s *sweep) guests() {
	everyone := crowds()[len(crowds())-1]
	audiences := slices.DeleteFunc(smallAudiences(), func(a smallAudience) bool {
		return a.kind == policy.AudienceList && a.crowd != everyone
	})
	for _, tenant := range tenants {
		everyGuest(tenant, func(q question, who, guests crowd) {
			s.enter(q)
			s.ofTenants(audiences, tenants, tenants, who, guests)
		})
	}
}

// ofTenants adds items of the tenants with any of the audiences, and with no source or one of its
// tenants with any of the audiences, to a turn that tells these crowds apart. A single tenant has no
// other name.
func (s *sweep) ofTenants(audiences []smallAudience, ofItem, ofSource []string, apart ...crowd) {
	alike := func(named ...string) int {
		if len(ofItem) == 1 {
			return 1
		}
		return orbitOfNames(tenants[0], append([]string{s.turn.Request.Turn.Tenant}, named...)...)
	}
	for _, declared := range slices.Concat(audiences, []smallAudience{{kind: policy.AudienceInherited}}) {
		for _, tenant := range ofItem {
			told := func() policy.Candidate {
				c := item(s.turn, declared.audience())
				c.Tenant = tenant
				return c
			}
			if declared.kind != policy.AudienceInherited {
				s.add(alike(tenant)*orbitOfPeople(append(apart, declared.crowd)...), told)
			}
			for _, of := range audiences {
				peopleAlike := orbitOfPeople(append(apart, declared.crowd, of.crowd)...)
				for _, sourceTenant := range ofSource {
					s.add(alike(tenant, sourceTenant)*peopleAlike, func() policy.Candidate {
						from := source(of.audience())
						from.Tenant = sourceTenant
						return derived(told(), from)
					})
				}
			}
		}
	}
}

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
