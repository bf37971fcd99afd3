package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"earshot/policy"
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
	fmt.Fprintf(p.stdout, "policy %s (%s)\n%d rules\n", engine.Revision(), folder.origin(), len(rules))
	printTier(p.stdout, engine.Tier())
	fmt.Fprintln(p.stdout)
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, rule := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s:%d\n", rule.Code, rule.Title, rule.File, rule.Row)
	}
	return table.Flush()
}

// printTier says how the policy is worked out. Either way it decides the same; closures are faster.
func printTier(w io.Writer, tier policy.Tier) {
	switch {
	case !tier.Compiled:
		fmt.Fprintf(w, "OPA evaluates all of it: %s\n", tier.Why)
	case len(tier.Interpreted) == 0:
		fmt.Fprintln(w, "runs as closures")
	default:
		fmt.Fprintf(w, "runs as closures, but for what OPA evaluates (%d):\n", len(tier.Interpreted))
		for _, rule := range tier.Interpreted {
			fmt.Fprintf(w, "  %s\n", rule)
		}
	}
}
