package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
)

type checkCmd struct {
	Dir string `arg:"" optional:"" help:"Policy folder; without it, that of --policy."`
	policyFlag
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
	folder := policyFolder(cmp.Or(c.Dir, c.Policy))
	engine, err := folder.open(ctx)
	if err != nil {
		return err
	}
	rules := engine.Rules()
	fmt.Fprintf(p.stdout, "policy %s (%s)\n%d rules\n\n", engine.Revision(), folder.origin(), len(rules))
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, rule := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s:%d\n", rule.Code, rule.Title, rule.File, rule.Row)
	}
	return table.Flush()
}
