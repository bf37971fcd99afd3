package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logStatsCmd struct {
	questionFlags
	spanFlags
	Tenant   string `placeholder:"NAME" help:"Only decisions of this tenant."`
	Baseline string `placeholder:"N" help:"How many windows before it the window is held against; 7 if absent."`
}

// Help is shown by pdp log stats --help.
func (logStatsCmd) Help() string {
	return `How decisions came out in a window, a day up to now if none is given: denials by agent, channel and reason
and viewers who were not certain, each against the time before; agents that are new in a channel or to a set of
viewers; and what each policy decided. A rate is unusual from three standard errors above the baseline on.
--baseline 0 with --from gives the history of the policies alone. The question itself becomes an entry of the log before
it is answered.

Examples:
  pdp log stats
  pdp log stats --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z --baseline 3 --format json`
}

// Run prints the statistics.
func (c *logStatsCmd) Run(ctx context.Context, p *process) error {
	q := decisionlog.DefaultStats(time.Now())
	for _, f := range append(c.spanFlags.values(), flagValue{"tenant", c.Tenant}, flagValue{"baseline", c.Baseline}) {
		if f.value == "" {
			continue
		}
		if err := wire.ReadStatsFilter(&q, f.name, f.value); err != nil {
			return misuse{fmt.Errorf("--%s %w", f.name, err)}
		}
	}
	if c.To != "" && c.From == "" {
		q.From = q.To.Add(-decisionlog.DefaultWindow)
	}
	return c.ask(ctx, p, func(log *decisionlog.Log) (*reply, error) {
		stats, err := log.Stats(ctx, q)
		if err != nil {
			return nil, err
		}
		r := &reply{json: wire.EncodeStats(stats)}
		r.asked = decisionlog.Access{
			Kind: decisionlog.AccessStats, Query: decisionlog.Query{From: q.From, To: q.To, Tenant: q.Tenant}, Results: 1,
		}
		r.table.heading = []string{"WHAT", "NAME", "WINDOW", "BEFORE", "SCORE", "UNUSUAL"}
		addStats(&r.table, stats)
		return r, nil
	})
}

func addStats(t *table, s *decisionlog.Stats) {
	addRate(t, "denials", s.Denials)
	for _, of := range []struct {
		what string
		list []decisionlog.Rate
	}{{"denials of agent", s.Agents}, {"denials in channel", s.Channels}, {"denials for", s.Reasons}} {
		for _, r := range of.list {
			addRate(t, of.what, r)
		}
	}
	addRate(t, "ambiguous viewers", s.Ambiguous)
	for _, f := range s.NewChannels {
		t.add("new in channel", f.Agent+" in "+f.Channel, f.DecisionID, "", "", "")
	}
	for _, f := range s.NewAudiences {
		t.add("new to viewers", f.Agent+" to "+strings.Join(f.Viewers, ","), f.DecisionID, "", "", "")
	}
	for _, r := range s.Revisions {
		t.add("policy", shortRevision(r.Revision), count(r.Decisions, "decision")+", "+count(r.Handoffs, "hand-off"),
			moment(r.First)+" to "+moment(r.Last), "", "")
	}
}

func addRate(t *table, what string, r decisionlog.Rate) {
	unusual := ""
	if r.Unusual {
		unusual = "yes"
	}
	t.add(what, r.Name, ratio(r.Window), ratio(r.Baseline), strconv.FormatFloat(r.Score, 'f', 1, 64), unusual)
}

func ratio(r decisionlog.Ratio) string { return fmt.Sprintf("%d/%d", r.Hits, r.Of) }
