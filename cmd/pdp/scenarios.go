package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/policytest/scenarios"
)

type scenariosCmd struct {
	policyFlag
	Baseline bool `help:"Print the same scenarios under four other designs beside it."`
	JSON     bool `name:"json" help:"Print the counts as JSON, those of the other designs included."`
}

// Help is shown by pdp scenarios --help.
func (scenariosCmd) Help() string {
	return `79 small worlds in 13 families, drawn from a fixed seed. Each holds a fact that those who listen must
not learn, and one that they may. They are decided by the real decision point and recorded in a
temporary log. The columns count scenarios: those that admit a forbidden fact, those that decide every
item as the ledger of the world expects, those that keep every permitted fact, and, where it is not
certain who listens, those that admit only what is public.

--baseline adds four other designs. Relevance only reads whatever answers the query. The per-user silo
reads what the one who asks has said, and what was said in public. The per-channel silo reads what was
said in the channel of the turn, and what was said in public. Filter after the model reads whatever
answers the query, and takes out of the answer what those who listen must not learn. So the first and the
last read the same and have the same counts: what a model has read, no filter makes it not have read.
What was erased, edited or has expired is deleted from the store of each of them.

With --policy and a policy that is stricter than the built-in one, expect fewer decisions that agree and
fewer permitted facts kept, and exit status 1. Read the first column first: it must stay 0.

In the family of the direct look-up, what is admitted, the verdict and the directive must also be the same
as if what is denied had not been found. It does not show that an id that nobody has and an id that is
denied are answered alike, since the decision point sees only what was found: that look-up arrives with
stored memory.

Exit status 1 means that an assertion did not hold; the output says which.

Examples:
  pdp scenarios
  pdp scenarios --baseline
  pdp scenarios --policy my-policy`
}

// Run runs the suite and prints its report.
func (c *scenariosCmd) Run(ctx context.Context, p *process) error {
	report, err := c.run(ctx, p)
	if err != nil {
		return err
	}
	if err := c.print(p, report); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	if !report.Passed() {
		return errReported
	}
	return nil
}

// run decides the scenarios with a log of their own, which does not stay.
func (c *scenariosCmd) run(ctx context.Context, p *process) (_ *scenarios.Report, err error) {
	engine, err := openPolicy(ctx, c.Policy)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "earshot-scenarios-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the log: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	point, err := policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: log,
		Clock:    scenarios.Now,
		NewID:    newID,
	})
	if err != nil {
		return nil, err
	}
	return scenarios.Run(ctx, scenarios.Seed, scenarios.Config{
		Point: point,
		Recorded: func(ctx context.Context, id string) (*policy.Entry, error) {
			record, err := log.Get(ctx, id)
			if err != nil {
				return nil, err
			}
			return &record.Entry, nil
		},
		Progress: progress(p.stderr, time.Now()),
	})
}

// progress says from time to time how far a run is, once it takes longer than two seconds.
func progress(w io.Writer, last time.Time) func(done, all int) {
	return func(done, all int) {
		if now := time.Now(); now.Sub(last) > 2*time.Second {
			last = now
			fmt.Fprintf(w, "pdp: %d of %d scenarios\n", done, all)
		}
	}
}

func (c *scenariosCmd) print(p *process, report *scenarios.Report) error {
	misses := p.stdout
	if c.JSON {
		text, err := json.Marshal(report)
		if err != nil {
			return err
		}
		if _, err := p.stdout.Write(append(layout(text), '\n')); err != nil {
			return err
		}
		misses = p.stderr
	} else if err := c.printTable(p.stdout, report); err != nil {
		return err
	}
	for _, miss := range report.Misses {
		if _, err := fmt.Fprintln(misses, miss); err != nil {
			return err
		}
	}
	return nil
}

// Columns of the table: a name, and numbers under their headings.
const (
	tableHead = "%-37s %9s  %18s  %16s  %14s  %13s\n"
	tableRow  = "%-37s %9d  %18d  %16s  %14s  %13s\n"
)

func (c *scenariosCmd) printTable(w io.Writer, report *scenarios.Report) error {
	var out strings.Builder
	head := func(name string) {
		fmt.Fprintf(&out, tableHead, name, "scenarios", "forbidden admitted", "decisions agreed", "permitted kept", "failed closed")
	}
	fmt.Fprintf(&out, "seed %d\n\n", report.Seed)
	head("family")
	for _, row := range report.Families {
		printRow(&out, row)
	}
	printRow(&out, scenarios.Row{Name: "all", Counts: report.Counts})
	if c.Baseline {
		fmt.Fprintln(&out)
		head("another design")
		for _, row := range report.Baselines {
			printRow(&out, row)
		}
	}
	fmt.Fprintf(&out, "\n%d/%d assertions hold\n", report.Assertions, report.All())
	_, err := io.WriteString(w, out.String())
	return err
}

func printRow(w io.Writer, row scenarios.Row) {
	closed := "-"
	if row.Ambiguous > 0 {
		closed = of(row.FailedClosed, row.Ambiguous)
	}
	fmt.Fprintf(w, tableRow, row.Name, row.Scenarios, row.ForbiddenAdmitted,
		of(row.DecisionsAgreed, row.Scenarios), of(row.PermittedKept, row.Scenarios), closed)
}

func of(n, all int) string { return fmt.Sprintf("%d/%d", n, all) }
