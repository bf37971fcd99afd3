package policytest_test

import (
	"slices"

	"earshot/policy"
)

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
