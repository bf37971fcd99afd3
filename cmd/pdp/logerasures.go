package main

import (
	"context"
	"strconv"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logErasuresCmd struct {
	questionFlags
	spanFlags
	pageFlags
}

// Help is shown by pdp log erasures --help.
func (logErasuresCmd) Help() string {
	return `What was erased, newest first: when, on whose order, on what ground, and how much. It names nobody. The question
itself becomes an entry of the log before it is answered.

Example:
  pdp log erasures`
}

// Run prints one page of the register.
func (c *logErasuresCmd) Run(ctx context.Context, p *process) error {
	q, err := readFilters(append(c.spanFlags.values(), c.pageFlags.values()...))
	if err != nil {
		return err
	}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		page, err := log.ErasureRegister(ctx, decisionlog.Span{From: q.From, To: q.To, Limit: q.Limit, Cursor: q.Cursor})
		if err != nil {
			return nil, err
		}
		r := &reply{json: wire.EncodeErasures(&page), next: page.Next}
		r.asked = decisionlog.Access{Kind: decisionlog.AccessErasures, Query: q, Results: len(page.Erasures)}
		r.table.heading = []string{"ERASED AT", "ERASURE", "BY", "REASON", "NOW", "NAMES", "FINGERPRINTS", "RECEIPTS"}
		for i := range page.Erasures {
			addErasure(&r.table, &page.Erasures[i])
		}
		return r, nil
	})
}

func addErasure(t *table, e *decisionlog.RegisteredErasure) {
	if e.Damage != nil {
		t.add("", "damaged: index "+strconv.FormatUint(e.Log.Index, 10), "", "", "", "", "", "")
		return
	}
	now := ""
	if e.Asked >= 0 {
		now = decisionlog.Pseudonym(e.Handles[e.Asked])
	}
	t.add(moment(e.At), e.ID, e.RequestedBy, e.Reason, now, strconv.Itoa(len(e.Handles)),
		strconv.FormatUint(e.Fingerprints, 10), strconv.FormatUint(e.Receipts, 10))
}
