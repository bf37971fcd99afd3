package policytest_test

import (
	"context"
	"slices"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
)

// shuffled: lists that are sets may come in any order and with repetitions, and candidates in any
// order and more than once; each candidate keeps its result.
func shuffled(t *rapid.T) claim {
	before := anyQuestion(t)
	after := before.clone()
	turn := &after.Request.Turn
	turn.Viewers = again(t, turn.Viewers)
	turn.ExternalViewers = again(t, turn.ExternalViewers)
	turn.RevokedViewers = again(t, turn.RevokedViewers)
	turn.Evidence = again(t, turn.Evidence)
	for i := range turn.Evidence {
		turn.Evidence[i].Viewers = again(t, turn.Evidence[i].Viewers)
	}
	after.Request.Inheritance.AuthorizedAgents = again(t, after.Request.Inheritance.AuthorizedAgents)
	for i := range after.Request.Candidates {
		c := &after.Request.Candidates[i]
		c.Faults = again(t, c.Faults)
		c.Audience.Members = again(t, c.Audience.Members)
		c.Sources = again(t, c.Sources)
		sources(c, func(s *policy.Source) {
			s.Audience.Members = again(t, s.Audience.Members)
			s.Sources = again(t, s.Sources)
		})
	}
	positions := make([]int, len(before.Request.Candidates))
	for i := range positions {
		positions[i] = i
	}
	positions = again(t, positions)
	after = after.at(positions...)

	return func(ctx context.Context, decide policytest.Decider) error {
		first, err := before.decide(ctx, decide)
		if err != nil {
			return err
		}
		second, err := after.decide(ctx, decide)
		if err != nil {
			return err
		}
		want := first
		want.Results = nil
		for _, position := range positions {
			want.Results = append(want.Results, first.Results[position])
		}
		want.Directive = second.Directive // It counts the candidates.
		return same([]question{before, after}, want, second)
	}
}

// again draws all of list in another order, and some of it twice. Nothing stays nothing, be it nil
// or empty.
func again[E any](t *rapid.T, list []E) []E {
	if len(list) == 0 {
		return list
	}
	twice := rapid.SliceOfN(rapid.SampledFrom(list), 0, 2).Draw(t, "twice")
	return rapid.Permutation(slices.Concat(list, twice)).Draw(t, "order")
}

// at returns the question with only the candidates at these positions, in this order, and the facts
// about them.
func (q question) at(positions ...int) question {
	all, grants, seals := q.Request.Candidates, q.Facts.Grants, q.Facts.Seals
	q.Request.Candidates, q.Facts.Grants, q.Facts.Seals = nil, nil, nil
	for i, position := range positions {
		q.Request.Candidates = append(q.Request.Candidates, all[position])
		if grant, ok := grants[position]; ok {
			q.Facts.Grants = granted(q.Facts.Grants, i, grant)
		}
		if check, ok := seals[position]; ok {
			q.Facts.Seals = checked(q.Facts.Seals, i, check)
		}
	}
	return q
}

// neighbours: each candidate has the result that it has alone.
func neighbours(t *rapid.T) claim {
	q := anyQuestion(t)
	return func(ctx context.Context, decide policytest.Decider) error {
		together, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		for i := range q.Request.Candidates {
			alone, err := q.at(i).decide(ctx, decide)
			if err != nil {
				return err
			}
			if err := same([]question{q}, alone.Results[0], together.Results[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// renamed: a name has no meaning but what the settings give it, so that people, agents, tenants and
// bots may change theirs among themselves. The small worlds rest on this.
func renamed(t *rapid.T) claim {
	before := anyQuestion(t)
	before.Settings = allSettings()[0] // They name nobody here.
	names := map[string]string{}
	for _, group := range [][]string{people, robots, agents, {"acme", "globex"}} {
		order := rapid.Permutation(group).Draw(t, "names")
		for i, name := range group {
			names[name] = order[i]
		}
	}
	after := before.clone()
	after.rename(names)
	return func(ctx context.Context, decide policytest.Decider) error {
		first, err := before.decide(ctx, decide)
		if err != nil {
			return err
		}
		second, err := after.decide(ctx, decide)
		if err != nil {
			return err
		}
		want := first
		want.Viewers.Present = distinct(renameAll(first.Viewers.Present, names))
		want.Directive = second.Directive // It names the agent.
		return same([]question{before, after}, want, second)
	}
}

// rename gives everybody their new name, except in the settings.
func (q *question) rename(names map[string]string) {
	turn := &q.Request.Turn
	turn.Agent, turn.Tenant = renameOne(turn.Agent, names), renameOne(turn.Tenant, names)
	turn.Viewers = renameAll(turn.Viewers, names)
	turn.ExternalViewers = renameAll(turn.ExternalViewers, names)
	turn.RevokedViewers = renameAll(turn.RevokedViewers, names)
	for i := range turn.Evidence {
		turn.Evidence[i].Viewers = renameAll(turn.Evidence[i].Viewers, names)
	}
	if roster := q.Facts.Roster; roster != nil {
		roster.Members = distinct(renameAll(roster.Members, names))
		roster.Revoked = distinct(renameAll(roster.Revoked, names))
	}
	for position, grant := range q.Facts.Grants {
		q.Facts.Grants[position] = distinct(renameAll(grant, names))
	}
	q.Request.Inheritance.AuthorizedAgents = renameAll(q.Request.Inheritance.AuthorizedAgents, names)
	for i := range q.Request.Candidates {
		c := &q.Request.Candidates[i]
		c.Agent, c.Tenant = renameOne(c.Agent, names), renameOne(c.Tenant, names)
		c.Audience.Members = renameAll(c.Audience.Members, names)
		sources(c, func(s *policy.Source) {
			s.Agent, s.Tenant = renameOne(s.Agent, names), renameOne(s.Tenant, names)
			s.Audience.Members = renameAll(s.Audience.Members, names)
		})
	}
}

func renameOne(name string, names map[string]string) string {
	if other, ok := names[name]; ok {
		return other
	}
	return name
}

// renameAll keeps nil and empty apart.
func renameAll(list []string, names map[string]string) []string {
	out := slices.Clone(list)
	for i, name := range out {
		out[i] = renameOne(name, names)
	}
	return out
}
