package main

import (
	"context"
	"errors"

	"earshot/policy"
	"earshot/server/wire"
)

type decideCmd struct {
	File string `arg:"" help:"File with the request; - is standard input."`
	Data string `placeholder:"DIR" help:"Data folder to record the decision in; made if absent."`
	policyFlag
	Explain bool `help:"Say of each result why; names people."`
}

// Help is shown by pdp decide --help.
func (decideCmd) Help() string {
	return `Request and answer are those of POST /v1/decisions. Without --data nothing is recorded: "log" is
then null, and nothing that was admitted may enter a prompt.

Examples:
  pdp decide request.json
  pdp decide --explain --data ./data - <request.json`
}

// Run decides one request and prints the answer.
func (c *decideCmd) Run(ctx context.Context, p *process) (err error) {
	req, err := readRequest(p, c.File, wire.DecodeDecision)
	if err != nil {
		return err
	}
	engine, err := openPolicy(ctx, c.Policy)
	if err != nil {
		return err
	}
	recorder, done, err := openRecorder(ctx, c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	point, err := newPoint(engine, recorder)
	if err != nil {
		return err
	}
	decision, err := point.Decide(ctx, req)
	if err != nil {
		return refused(err)
	}
	if err := printAnswer(p.stdout, c.answer(point, decision)); err != nil {
		return err
	}
	sayUnrecorded(p, c.Data)
	return nil
}

func (c *decideCmd) answer(point *policy.Point, decision *policy.Decision) wire.Answer {
	var details []policy.Detail
	if c.Explain {
		details = make([]policy.Detail, len(decision.Results))
		for i := range details {
			details[i] = point.Explain(decision, i)
		}
	}
	answer := wire.EncodeDecision(decision, details)
	if c.Data == "" {
		answer.Log = nil
	}
	return answer
}
