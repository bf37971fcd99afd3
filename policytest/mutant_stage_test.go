package policytest_test

import (
	"context"
	"reflect"
	"slices"

	"earshot/policy"
	"earshot/policytest/scenarios"
	"earshot/server/wire"
)

// stage is a subject as the scenarios ask it: one after the other, each once or, the second time,
// without some of its candidates.
type stage struct {
	subject
	bodies [][]byte
	played []byte // the body of the scenario that was asked last
	entry  policy.Entry
}

// Decide implements scenarios.Decider. The request is that of the next body, already decoded, or a
// part of the last one; a subject decodes it in its own way.
func (p *stage) Decide(ctx context.Context, asked policy.Request) (*policy.Decision, error) {
	again, err := p.isPart(asked)
	if err != nil {
		return nil, err
	}
	if !again {
		p.played, p.bodies = p.bodies[0], p.bodies[1:]
	}
	req, err := p.decode(p.played)
	if err != nil {
		return nil, err
	}
	if again {
		req.Candidates = slices.DeleteFunc(req.Candidates, func(c policy.Candidate) bool {
			return !slices.ContainsFunc(asked.Candidates, func(a policy.Candidate) bool { return a.ID == c.ID })
		})
	}
	answer, err := p.decide(ctx, scenarios.Now(), allSettings()[0], policy.Facts{}, req)
	if err != nil {
		return nil, err
	}
	p.entry = policy.Entry{Viewers: answer.Viewers, Verdict: answer.Verdict, Directive: answer.Directive, Results: answer.Results}
	return &policy.Decision{Entry: p.entry}, nil
}

// isPart reports whether asked is not the request of the next body, but of the last one with fewer
// candidates.
func (p *stage) isPart(asked policy.Request) (bool, error) {
	if len(p.bodies) == 0 {
		return true, nil
	}
	next, err := wire.DecodeDecision(p.bodies[0], wire.Limits{})
	return !reflect.DeepEqual(next, asked), err
}

func (p *stage) recorded(context.Context, string) (*policy.Entry, error) { return &p.entry, nil }
