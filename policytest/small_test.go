package policytest_test

import (
	"slices"

	"earshot/policy"
)

// crowd is a set of the four people, a bit for each.
type crowd uint8

// crowds are all sets of the four people, the empty one first.
func crowds() []crowd {
	all := make([]crowd, 1<<len(people))
	for i := range all {
		all[i] = crowd(i)
	}
	return all
}

// names returns the people in the crowd; never nil.
func (c crowd) names() []string {
	names := []string{}
	for i, name := range people {
		if c>>i&1 == 1 {
			names = append(names, name)
		}
	}
	return names
}

// orbitOfPeople returns how many questions differ from the one with these crowds only in who is who,
// itself included, or 0 where another of them stands for it. That one is where the people, in
// their order, are in ever more of the crowds.
func orbitOfPeople(all ...crowd) int {
	orbit, alike, before := 1, 0, -1
	for i := range people {
		in := 0
		for _, c := range all {
			in = in<<1 | int(c>>i&1)
		}
		switch {
		case in < before:
			return 0
		case in == before:
			alike++
		default:
			alike = 1
		}
		before = in
		// After the last of them: the factorial of all, divided by those of the groups alike.
		orbit = orbit * (i + 1) / alike
	}
	return orbit
}

// orbitOfNames is orbitOfPeople for names from a pair of which one is the first to be named.
func orbitOfNames(first string, named ...string) int {
	for _, name := range named {
		if name != "" {
			if name != first {
				return 0
			}
			return 2
		}
	}
	return 1
}

// allNames is how many ways there are to give four people, two agents and two tenants each other's
// names.
const allNames = 24 * 2 * 2

// otherNames returns new names for the four people, the two agents and the two tenants among
// themselves. Each number below allNames is another way.
func otherNames(number int) map[string]string {
	names := map[string]string{}
	for _, group := range [][]string{people, agents[:2], tenants[:2]} {
		left := slices.Clone(group)
		for _, name := range group {
			i := number % len(left)
			number /= len(left)
			names[name] = left[i]
			left = slices.Delete(left, i, i+1)
		}
	}
	return names
}

// smallAudience is an audience of a small world.
type smallAudience struct {
	kind  policy.AudienceKind
	crowd crowd // of a list
}

// smallAudiences are nobody, the tenant, everybody, and every list of people.
func smallAudiences() []smallAudience {
	all := []smallAudience{{kind: policy.AudienceNone}, {kind: policy.AudienceTenant}, {kind: policy.AudiencePublic}}
	for _, c := range crowds()[1:] {
		all = append(all, smallAudience{policy.AudienceList, c})
	}
	return all
}

// audience returns the audience as a label has it.
func (a smallAudience) audience() policy.Audience {
	if a.kind == policy.AudienceList {
		return members(a.crowd.names())
	}
	return policy.Audience{Kind: a.kind}
}

// smallTurn returns a turn of a small world, without a doubt but who the viewers are.
func smallTurn(agent, tenant string) question {
	q := question{Now: now, Settings: allSettings()[0]}
	q.Request.Turn = policy.Turn{Attempt: 1, Agent: agent, Tenant: tenant, ViewersBasis: policy.BasisPlatform}
	q.Request.Inheritance.AuthorizedAgents = agents[:2]
	return q
}

// smallViewers are nil for viewers who are not known, and every set of people.
func smallViewers() []*crowd {
	all := []*crowd{nil}
	for _, c := range crowds() {
		all = append(all, &c)
	}
	return all
}

// enterSmall makes the crowd the viewers of the turn and returns who that is.
func (q *question) enterSmall(viewers *crowd) crowd {
	if viewers == nil {
		q.Request.Turn.Viewers = nil
		return 0
	}
	q.Request.Turn.Viewers = viewers.names()
	return *viewers
}
