package policytest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// question is everything that an answer may depend on.
type question struct {
	Now      time.Time
	Settings reading.Settings
	Facts    policy.Facts
	Request  policy.Request
}

// decide asks a Decider about the question.
func (q question) decide(ctx context.Context, decide policytest.Decider) (reading.Answer, error) {
	answer, err := decide(ctx, q.Now, q.Settings, q.Facts, q.Request)
	if err != nil {
		return reading.Answer{}, fmt.Errorf("%w\n%v", err, q)
	}
	if len(answer.Results) != len(q.Request.Candidates) {
		return reading.Answer{}, fmt.Errorf("%d results for %d candidates\n%v", len(answer.Results), len(q.Request.Candidates), q)
	}
	return answer, nil
}

// clone returns a copy whose names, sources and grants can be changed without changing q.
func (q question) clone() question {
	turn := &q.Request.Turn
	turn.Viewers = slices.Clone(turn.Viewers)
	turn.ExternalViewers = slices.Clone(turn.ExternalViewers)
	turn.RevokedViewers = slices.Clone(turn.RevokedViewers)
	turn.Evidence = slices.Clone(turn.Evidence)
	for i := range turn.Evidence {
		turn.Evidence[i].Viewers = slices.Clone(turn.Evidence[i].Viewers)
	}
	q.Request.Inheritance.AuthorizedAgents = slices.Clone(q.Request.Inheritance.AuthorizedAgents)
	q.Request.Candidates = slices.Clone(q.Request.Candidates)
	for i := range q.Request.Candidates {
		c := &q.Request.Candidates[i]
		c.Audience.Members = slices.Clone(c.Audience.Members)
		c.Sources = cloneSources(c.Sources)
		c.Faults = slices.Clone(c.Faults)
	}
	if q.Facts.Roster != nil {
		roster := *q.Facts.Roster
		roster.Members, roster.Revoked = slices.Clone(roster.Members), slices.Clone(roster.Revoked)
		q.Facts.Roster = &roster
	}
	q.Facts.Seals = maps.Clone(q.Facts.Seals)
	q.Facts.Grants = maps.Clone(q.Facts.Grants)
	for position, grant := range q.Facts.Grants {
		q.Facts.Grants[position] = slices.Clone(grant)
	}
	return q
}

func cloneSources(all []policy.Source) []policy.Source {
	all = slices.Clone(all)
	for i := range all {
		all[i].Audience.Members = slices.Clone(all[i].Audience.Members)
		all[i].Sources = cloneSources(all[i].Sources)
	}
	return all
}

// String returns the question as JSON, for the message of a law that is broken.
func (q question) String() string {
	text, err := json.MarshalIndent(q, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// GoString is String: rapid prints what it draws in Go syntax.
func (q question) GoString() string { return q.String() }

// sources calls visit with every source of the candidate, at any depth.
func sources(c *policy.Candidate, visit func(*policy.Source)) { visitSources(c.Sources, visit) }

func visitSources(all []policy.Source, visit func(*policy.Source)) {
	for i := range all {
		visit(&all[i])
		visitSources(all[i].Sources, visit)
	}
}
