package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"earshot/policy"
)

type checkCmd struct {
	Dir string `arg:"" optional:"" help:"Policy folder; without it, the policy that is built in."`
}

// Help is shown by pdp check --help.
func (checkCmd) Help() string {
	return `The policy is compiled strictly, type-checked against the schemas of its input and settings, and
asked to refuse what every policy must refuse. A server takes it only if this check passes.

Examples:
  pdp check
  pdp check my-policy`
}

// Run prints the revision and the rules of a policy that may decide.
func (c *checkCmd) Run(ctx context.Context, p *process) error {
	engine, err := openPolicy(ctx, c.Dir)
	if err != nil {
		return err
	}
	rules := engine.Rules()
	fmt.Fprintf(p.stdout, "policy %s\n%d rules\n\n", engine.Revision(), len(rules))
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, rule := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s:%d\n", rule.Code, rule.Title, rule.File, rule.Row)
	}
	return table.Flush()
}

// openPolicy compiles the policy in a folder, or the one that is built in where dir is empty.
func openPolicy(ctx context.Context, dir string) (*policy.Engine, error) {
	read, hint := policy.EmbeddedBundle, "this is a fault of the program"
	if dir != "" {
		read = func() (*policy.Bundle, error) { return policy.BundleFromDir(dir) }
		hint = fmt.Sprintf("correct it in %s and run: pdp check %s", dir, dir)
	}
	bundle, err := read()
	if err != nil {
		return nil, err
	}
	engine, err := policy.NewEngine(ctx, bundle)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, hint)
	}
	return engine, nil
}
