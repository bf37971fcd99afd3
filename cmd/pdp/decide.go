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
	Explain  bool `help:"Say of each result why; names people."`
	Receipts bool `help:"Sign the answer and record the receipts; needs --data."`
}

// Help is shown by pdp decide --help.
func (decideCmd) Help() string {
	return `Request and answer are those of POST /v1/decisions. Without --data nothing is recorded: "log" is
then null, and nothing that was admitted may enter a prompt.

Examples:
  pdp decide request.json
  pdp decide --explain --data ./data - <request.json
  pdp decide --receipts --data ./data request.json >answer.json
  pdp keys --jwks --data ./data >jwks.json && pdp receipt verify answer.json --jwks jwks.json`
}

// Run decides one request and prints the answer.
func (c *decideCmd) Run(ctx context.Context, p *process) (err error) {
	if c.Receipts && c.Data == "" {
		return misuse{errors.New("--receipts needs --data: a receipt is of what was recorded")}
	}
	req, err := readRequest(p, c.File, wire.DecodeDecision)
	if err != nil {
		return err
	}
	to, err := openPoint(ctx, c.Policy, c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	decision, err := to.point.Decide(ctx, req)
	if err != nil {
		return refused(err)
	}
	answer := c.answer(to.point, decision)
	if c.Receipts {
		receipts, err := to.evidence.receipts.Decision(ctx, decision)
		if err != nil {
			return refused(err)
		}
		answer.Receipts = wire.EncodeReceipts(receipts)
	}
	if err := printAnswer(p.stdout, answer); err != nil {
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
