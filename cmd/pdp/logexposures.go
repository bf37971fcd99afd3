package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logExposuresCmd struct {
	Principal string `placeholder:"NAME" help:"The person, as a viewer of turns."`
	Item      string `placeholder:"ID" help:"The item, by its own id."`
	questionFlags
	filterFlags
}

// Help is shown by pdp log exposures --help.
func (logExposuresCmd) Help() string {
	return `With --principal, every item that a turn was shown in which this person was a viewer, with the date, agent,
channel and policy: the answer to a request of the person under article 15 of the GDPR. It names nobody else. With
--item, every turn that the item reached and who was there. The question itself becomes an entry of the log before it is
answered.

Examples:
  pdp log exposures --principal user:ann --format json
  pdp log exposures --item m1 --from 2026-11-01T00:00:00Z`
}

// Run prints one page of exposures.
func (c *logExposuresCmd) Run(ctx context.Context, p *process) error {
	filters := append(c.values(), flagValue{"item", c.Item})
	narrowed, err := readFilters(filters)
	if err != nil {
		return err
	}
	if c.Principal != "" {
		if err := wire.CheckPrincipal(c.Principal); err != nil {
			return misuse{fmt.Errorf("--principal %w", err)}
		}
	}
	q := decisionlog.ExposureQuery{Principal: c.Principal, Query: narrowed}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		page, err := log.Exposures(ctx, q)
		if err != nil {
			return nil, err
		}
		r := &reply{json: wire.EncodeExposures(&page), next: page.Next}
		r.asked = decisionlog.Access{
			Kind: decisionlog.AccessExposures, Principal: q.Principal, Query: q.Query, Results: len(page.Exposures),
		}
		r.table.heading = []string{"DECIDED AT", "DECISION", "AGENT", "CHANNEL", "ITEM", "REASONS", "POLICY"}
		if q.Principal == "" {
			r.table.heading = append(r.table.heading, "VIEWERS")
		}
		for i := range page.Exposures {
			addExposure(&r.table, &q, &page.Exposures[i])
		}
		return r, nil
	})
}

func addExposure(t *table, q *decisionlog.ExposureQuery, e *decisionlog.Exposure) {
	state := ""
	switch {
	case e.Damage != nil:
		state = "damaged: index " + strconv.FormatUint(e.Log.Index, 10)
	case e.Pruned:
		state = "emptied by retention"
	}
	cells := []string{moment(e.At), e.ID, e.Agent, e.Channel, e.ItemID, strings.Join(e.Reasons, ","), shortRevision(e.PolicyRevision)}
	if state != "" {
		cells[4] = state
	}
	if q.Principal == "" {
		cells = append(cells, viewersCell(&e.Summary))
	}
	t.add(cells...)
}

// shortRevision returns the beginning of a revision, which tells those of one installation apart.
func shortRevision(revision string) string {
	const digits = len("sha256:") + 12
	return revision[:min(digits, len(revision))]
}
