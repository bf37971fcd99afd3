package main

import (
	"context"
	"errors"

	"earshot/policy"
	"earshot/server/wire"
)

type handoffCmd struct {
	File string `arg:"" help:"File with the request; - is standard input."`
	Data string `placeholder:"DIR" help:"Data folder to record the hand-off in; made if absent."`
	policyFlag
	Explain bool `help:"Say of each result which gate of the policy gave it."`
}

// Help is shown by pdp handoff --help.
func (handoffCmd) Help() string {
	return `Request and answer are those of POST /v1/handoffs. A directive that begins with HALT admits nothing;
the exit status is 0 all the same, since it is an answer. Without --data nothing is recorded: "log" is
then null, there are no receipts, and nothing that was admitted may be handed over.

Examples:
  pdp handoff request.json
  pdp handoff --explain --data ./data - <request.json`
}

// Run decides one hand-off and prints the answer.
func (c *handoffCmd) Run(ctx context.Context, p *process) (err error) {
	h, err := readRequest(p, c.File, wire.DecodeHandoff)
	if err != nil {
		return err
	}
	to, err := openPoint(ctx, c.Policy, c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	decision, err := to.point.HandOff(ctx, h)
	if err != nil {
		return refused(err)
	}
	answer := c.answer(to.point, decision)
	if to.evidence != nil {
		receipts, err := to.evidence.receipts.Handoff(ctx, decision)
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

func (c *handoffCmd) answer(point *policy.Point, decision *policy.HandoffDecision) wire.HandoffAnswer {
	var details []policy.Detail
	if c.Explain {
		details = make([]policy.Detail, len(decision.Results))
		for i := range details {
			details[i] = point.ExplainHandoff(decision, i)
		}
	}
	answer := wire.EncodeHandoff(decision, details)
	if c.Data == "" {
		answer.Log = nil
	}
	return answer
}
