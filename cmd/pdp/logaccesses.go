package main

import (
	"context"
	"strconv"
	"strings"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logAccessesCmd struct {
	questionFlags
	RequestedBy string `placeholder:"NAME" help:"The credential that asked, or the account on the command line."`
	Kind        string `placeholder:"WORD" help:"The kind of question, such as exposures."`
	spanFlags
	pageFlags
}

// Help is shown by pdp log accesses --help.
func (logAccessesCmd) Help() string {
	return `Every question that names people or decisions, newest first: over HTTP with the name of its credential, on the
command line with the account of the operating system. This question becomes an entry too.

Example:
  pdp log accesses --kind exposures`
}

// Run prints one page of the register.
func (c *logAccessesCmd) Run(ctx context.Context, p *process) error {
	q, err := readFilters(append(c.spanFlags.values(), c.pageFlags.values()...))
	if err != nil {
		return err
	}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		page, err := log.Accesses(ctx, decisionlog.AccessQuery{
			Span:        decisionlog.Span{From: q.From, To: q.To, Limit: q.Limit, Cursor: q.Cursor},
			RequestedBy: c.RequestedBy, Kind: c.Kind,
		})
		if err != nil {
			return nil, err
		}
		r := &reply{json: wire.EncodeAccesses(&page), next: page.Next}
		r.asked = decisionlog.Access{Kind: decisionlog.AccessAccesses, Query: q, Results: len(page.Accesses)}
		r.table.heading = []string{"ASKED AT", "BY", "DOOR", "KIND", "RESULTS", "FILTERS"}
		for i := range page.Accesses {
			addAccess(&r.table, &page.Accesses[i])
		}
		return r, nil
	})
}

func addAccess(t *table, a *decisionlog.StoredAccess) {
	switch {
	case a.Damage != nil:
		t.add(moment(a.Registered.At), "", "", "damaged: index "+strconv.FormatUint(a.Log.Index, 10), "", "")
		return
	case a.Pruned:
		t.add(moment(a.Registered.At), "", "", "emptied by retention", "", "")
		return
	}
	results := strconv.Itoa(a.Results)
	if a.Results == decisionlog.ResultsUnknown {
		results = "stream"
	}
	t.add(moment(a.Registered.At), a.RequestedBy, a.Door, a.Kind, results, filtersCell(a))
}

// filtersCell writes what a question was about.
func filtersCell(a *decisionlog.StoredAccess) string {
	q := &a.Query
	admit := ""
	if q.Admit != nil {
		admit = strconv.FormatBool(*q.Admit)
	}
	var list []string
	for _, f := range []flagValue{
		{"decision", a.DecisionID}, {"principal", a.Principal}, {"item", q.Item}, {"viewer", q.Viewer}, {"agent", q.Agent},
		{"channel", q.Channel}, {"tenant", q.Tenant}, {"verdict", q.Verdict}, {"reason", q.Reason},
		{"policy_revision", shortRevision(q.PolicyRevision)}, {"admit", admit}, {"from", moment(q.From)}, {"to", moment(q.To)},
	} {
		if f.value != "" {
			list = append(list, f.name+"="+f.value)
		}
	}
	return strings.Join(list, " ")
}
