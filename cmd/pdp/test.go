package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"earshot/policy"
)

type testCmd struct {
	Dir string `arg:"" optional:"" help:"Policy folder; without it, the policy that is built in."`
}

// Help is shown by pdp test --help.
func (testCmd) Help() string {
	return `A test is a rule whose name begins with test_, in a file whose name ends in _test.rego. Stock
"opa test DIR" runs the same tests.

Examples:
  pdp test
  pdp test my-policy`
}

// Run runs the tests and prints those that failed.
func (c *testCmd) Run(ctx context.Context, p *process) error {
	fsys, name := policy.EmbeddedFS(), "the built-in policy"
	if c.Dir != "" {
		fsys, name = os.DirFS(c.Dir), c.Dir
		if _, err := os.Stat(c.Dir); err != nil {
			return misuse{fmt.Errorf("%w; give the folder that holds earshot/ and local/", err)}
		}
	}
	results, err := policy.RunTests(ctx, fsys)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		_, err := fmt.Fprintf(p.stdout, "There are no tests in %s. Put rules named test_… into files named …_test.rego.\n", name)
		return err
	}
	failed := 0
	for _, result := range results {
		if result.Pass {
			continue
		}
		failed++
		fmt.Fprintf(p.stdout, "%s:%d: %s.%s failed", result.File, result.Row, result.Package, result.Name)
		if result.Problem != "" {
			fmt.Fprintf(p.stdout, ": %s", result.Problem)
		}
		if len(result.Failed) > 0 {
			fmt.Fprintf(p.stdout, ", in the cases %s", strings.Join(result.Failed, ", "))
		}
		fmt.Fprintln(p.stdout)
	}
	if failed > 0 {
		fmt.Fprintf(p.stdout, "%d of %d tests failed\n", failed, len(results))
		return errReported
	}
	_, err = fmt.Fprintf(p.stdout, "%d tests passed\n", len(results))
	return err
}
