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
	Baseline bool    `xor:"baseline-show,baseline-list" help:"Print the same scenarios under four other designs beside it."`
	JSON     bool    `name:"json" xor:"json-show,json-list" help:"Print the counts as JSON, those of the other designs included."`
	List     bool    `xor:"baseline-list,json-list,show-list" help:"Print the names of the scenarios."`
	Show     *string `placeholder:"NAME" xor:"baseline-show,json-show,show-list" help:"Print one scenario as a case, with what was decided."`
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
said in the channel of the turn, what was derived from that alone, and what was said in public. Filter
after the model reads whatever answers the query, and takes out of the answer what those who listen must
not learn. So the first and the last read the same and have the same counts: what a model has read, no
filter makes it not have read. What was erased, edited or has expired is deleted from the store of each
of them.

With --policy and a policy that is stricter than the built-in one, expect fewer decisions that agree and
fewer permitted facts kept, and exit status 1. Read the first column first: it must stay 0.

In the family of the direct look-up, what is admitted, the verdict and the directive must also be the same
as if what is denied had not been found. It does not show that an id that nobody has and an id that is
denied are answered alike, since the decision point sees only what was found: that look-up arrives with
stored memory.

--show prints one scenario as a case of pdp test: its world, and what the ledger expects. Comments have
the flow that must not happen by its five parameters (subject, sender, recipient, information type and
transmission principle), the facts, and what was decided. Under cases/<topic>/, in a file named after its
claim, it is a case of a policy. --list prints the names.

Exit status 1 means that an assertion did not hold; the output says which.

Examples:
  pdp scenarios
  pdp scenarios --baseline
  pdp scenarios --show 'membership drift 3'
  pdp scenarios --policy my-policy`
}

// Run runs the suite and prints its report.
func (c *scenariosCmd) Run(ctx context.Context, p *process) (err error) {
	if c.List {
		_, err := fmt.Fprintln(p.stdout, strings.Join(scenarios.Names(), "\n"))
		return err
	}
	config, done, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if c.Show != nil {
		return printOne(ctx, p, config, *c.Show)
	}
	config.Progress = progress(p.stderr, time.Now())
	report, err := scenarios.Run(ctx, scenarios.Seed, config)
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

// printOne prints one scenario.
func printOne(ctx context.Context, p *process, config scenarios.Config, name string) error {
	decided, err := scenarios.RunOne(ctx, scenarios.Seed, name, config)
	if errors.Is(err, scenarios.ErrUnknownScenario) {
		return misuse{fmt.Errorf("--show: %w; pdp scenarios --list prints their names", err)}
	}
	if err != nil {
		return err
	}
	text, err := decided.YAML()
	if err != nil {
		return err
	}
	if _, err := p.stdout.Write(text); err != nil {
		return fmt.Errorf("print the scenario: %w", err)
	}
	if len(decided.Misses) > 0 {
		return errReported
	}
	return nil
}

// open returns a decision point with the policy and a log of its own, which done closes and removes.
func (c *scenariosCmd) open(ctx context.Context) (_ scenarios.Config, done func() error, err error) {
	engine, err := openPolicy(ctx, c.Policy)
	if err != nil {
		return scenarios.Config{}, nil, err
	}
	dir, err := os.MkdirTemp("", "earshot-scenarios-")
	if err != nil {
		return scenarios.Config{}, nil, fmt.Errorf("make a folder for the log: %w", err)
	}
	log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: dir})
	if err != nil {
		return scenarios.Config{}, nil, errors.Join(err, os.RemoveAll(dir))
	}
	done = func() error { return errors.Join(log.Close(), os.RemoveAll(dir)) }
	point, err := policy.NewPoint(policy.Config{Engine: engine, Recorder: log, Clock: scenarios.Now, NewID: newID})
	if err != nil {
		return scenarios.Config{}, nil, errors.Join(err, done())
	}
	recorded := func(ctx context.Context, id string) (*policy.Entry, error) {
		record, err := log.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		return &record.Entry, nil
	}
	return scenarios.Config{Point: point, Recorded: recorded}, done, nil
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
