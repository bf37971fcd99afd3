package policytest_test

import (
	"context"

	"earshot/policy"
	"earshot/policytest/scenarios"
)

// stage is a subject as the scenarios ask it: one after the other.
type stage struct {
	subject
	bodies [][]byte
	entry  policy.Entry
}

// Decide implements scenarios.Decider. The request is the next of the bodies, already decoded; a
// subject decodes it in its own way.
func (p *stage) Decide(ctx context.Context, _ policy.Request) (*policy.Decision, error) {
	req, err := p.decode(p.bodies[0])
	if err != nil {
		return nil, err
	}
	p.bodies = p.bodies[1:]
	answer, err := p.decide(ctx, scenarios.Now(), allSettings()[0], policy.Facts{}, req)
	if err != nil {
		return nil, err
	}
	p.entry = policy.Entry{Viewers: answer.Viewers, Verdict: answer.Verdict, Directive: answer.Directive, Results: answer.Results}
	return &policy.Decision{Entry: p.entry}, nil
}

func (p *stage) recorded(context.Context, string) (*policy.Entry, error) { return &p.entry, nil }
