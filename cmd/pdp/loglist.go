package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logListCmd struct {
	questionFlags
	Item  string `placeholder:"ID" help:"An item among the candidates."`
	Admit string `enum:",true,false" default:"" placeholder:"BOOL" help:"Something was admitted (true) or denied (false); with --item, that very item."`
	filterFlags
}

// Help is shown by pdp log list --help.
func (logListCmd) Help() string {
	return `Decisions and hand-offs, newest first. All filters must hold. The question itself becomes an entry of the
log before it is answered, with the account that asked; pdp log accesses lists them.

Examples:
  pdp log list --viewer user:ann --from 2026-11-01T00:00:00Z
  pdp log list --item m1 --admit true --format json`
}

// Run prints one page of decisions.
func (c *logListCmd) Run(ctx context.Context, p *process) error {
	q, err := readFilters(append(c.values(), flagValue{"item", c.Item}, flagValue{"admit", c.Admit}))
	if err != nil {
		return err
	}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		page, err := log.List(ctx, q)
		if err != nil {
			return nil, err
		}
		answer := wire.EncodePage(&page)
		r := &reply{json: answer, next: page.Next}
		r.asked = decisionlog.Access{Kind: decisionlog.AccessList, Query: q, Results: len(answer.Decisions)}
		r.table.heading = []string{"DECIDED AT", "DECISION", "AGENT", "CHANNEL", "VIEWERS", "VERDICT", "ADMITTED", "DENIED"}
		for i := range page.Summaries {
			addSummary(&r.table, &page.Summaries[i])
		}
		return r, nil
	})
}

func addSummary(t *table, s *decisionlog.Summary) {
	switch {
	case s.Damage != nil:
		t.add(moment(s.At), s.ID, "damaged: index "+strconv.FormatUint(s.Log.Index, 10), "", "", "", "", "")
	case !s.Pruned:
		t.add(moment(s.At), s.ID, s.Agent, s.Channel, viewersCell(s), string(s.Verdict), strconv.Itoa(s.Admitted), strconv.Itoa(s.Denied))
	}
}

// viewersCell names the first viewers of a turn.
func viewersCell(s *decisionlog.Summary) string {
	const most = 3
	names := s.Viewers.Present
	text := strings.Join(names[:min(most, len(names))], ",")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	if !s.Handoff && !s.Viewers.Known {
		text = strings.TrimSpace(text + " (ambiguous)")
	}
	return text
}

type logShowCmd struct {
	ID   string `arg:"" help:"Id of a decision or a hand-off."`
	Data string `default:"./data" help:"Data folder, which holds the decision log."`
}

// Help is shown by pdp log show --help.
func (logShowCmd) Help() string {
	return `The decision whole, as GET /v1/decisions/{id} has it: without the results it can be sent to pdp decide
again. The question itself becomes an entry of the log before it is answered.

Example:
  pdp log show 01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2`
}

// Run prints one decision.
func (c *logShowCmd) Run(ctx context.Context, p *process) error {
	where := questionFlags{Data: c.Data, Format: "json"}
	return where.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		r := &reply{asked: decisionlog.Access{Kind: decisionlog.AccessGet, DecisionID: c.ID}}
		record, err := log.Get(ctx, c.ID)
		switch {
		case errors.Is(err, decisionlog.ErrNotFound):
			return r, fmt.Errorf("%w: %s; pdp log list names those that there are", decisionlog.ErrNotFound, cell(c.ID))
		case err != nil:
			return nil, err
		case record.Pruned:
			return r, fmt.Errorf("%w: retention has emptied %s; its commitment at index %d is all that is left",
				decisionlog.ErrNotFound, record.ID, record.Log.Index)
		}
		r.asked.Results = 1
		if record.Handoff != nil {
			r.json = wire.EncodeHandoffRecord(record.Handoff, record.Log)
		} else {
			r.json = wire.EncodeRecord(&record.Entry, record.Log)
		}
		return r, nil
	})
}
