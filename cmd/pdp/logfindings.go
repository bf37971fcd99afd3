package main

import (
	"context"
	"strconv"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logFindingsCmd struct {
	questionFlags
	State  string `enum:",open,closed" default:"" placeholder:"WORD" help:"Only those that are open, or closed by a disposition."`
	Tenant string `placeholder:"NAME" help:"Only those of this tenant."`
	spanFlags
	pageFlags
}

// Help is shown by pdp log findings --help.
func (logFindingsCmd) Help() string {
	return `Decisions and hand-offs with the verdict BLEED_DETECTED or UNATTRIBUTED_CONTEXT, and verifications of contexts
that found something, newest first, with what a reviewer said of them. A reviewer does so over HTTP, with a credential. The
question itself becomes an entry of the log before it is answered.

Example:
  pdp log findings --state open`
}

// Run prints one page of findings.
func (c *logFindingsCmd) Run(ctx context.Context, p *process) error {
	filters := append(append(c.spanFlags.values(), c.pageFlags.values()...), flagValue{"tenant", c.Tenant})
	q, err := readFilters(filters)
	if err != nil {
		return err
	}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		page, err := log.Findings(ctx, decisionlog.FindingQuery{
			Span:  decisionlog.Span{From: q.From, To: q.To, Limit: q.Limit, Cursor: q.Cursor},
			State: c.State, Tenant: q.Tenant,
		})
		if err != nil {
			return nil, err
		}
		r := &reply{json: wire.EncodeFindings(&page), next: page.Next}
		r.asked = decisionlog.Access{Kind: decisionlog.AccessFindings, Query: q, Results: len(page.Findings)}
		r.table.heading = []string{"FOUND AT", "FINDING", "TYPE", "AGENT", "CHANNEL", "WHAT", "STATE", "DISPOSITION", "BY"}
		for i := range page.Findings {
			addFinding(&r.table, &page.Findings[i])
		}
		return r, nil
	})
}

func addFinding(t *table, f *decisionlog.Finding) {
	if f.Damage != nil {
		t.add(moment(f.At), f.ID, "damaged: index "+strconv.FormatUint(f.Log.Index, 10), "", "", "", "", "", "")
		return
	}
	what := string(f.Verdict)
	if what == "" {
		what = count(len(f.Findings), "finding")
	}
	word, by := "", ""
	if n := len(f.Dispositions); n > 0 {
		word, by = f.Dispositions[n-1].Disposition.Disposition, f.Dispositions[n-1].RequestedBy
	}
	t.add(moment(f.At), f.ID, f.Type, f.Agent, f.Channel, what, f.State(), word, by)
}
