package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"earshot/policy"
)

type testCmd struct {
	Dir string `arg:"" optional:"" help:"Policy folder, with cases in cases/; without it, that of --policy."`
	policyFlag
	Only    string `name:"run" placeholder:"REGEXP" help:"Run only the tests and cases whose name it matches."`
	Verbose bool   `help:"Print also what passed, and what its print statements write."`
}

// Help is shown by pdp test --help.
func (testCmd) Help() string {
	return `Two kinds of test are run.

A Rego test is a rule whose name begins with test_, in a file whose name ends in _test.rego. Stock
"opa test --ignore cases DIR" runs the same tests. A test that failed is printed with what its print
statements wrote. A warning names each rule whose code holds in no test, and each rule in a test file
that is no test and that nothing uses.

A case is a file DIR/cases/<topic>/<claim>.yaml, named after its claim. It tells a small world and
states the whole answer. It is decided by the policy in DIR. Where DIR has no Rego, --policy decides
it, or the policy that is built in:

  claim: A late member does not read the time before
  why: Whoever joins later was not there.
  now: 2026-11-30T20:00:01Z
  world:
    people: [user:ann, user:ben]
    agents: [agent:scribe]
    channels:
      chat:board: {kind: group, members: [user:ann]}
    happened:
      - {who: user:ann, says: plan, in: chat:board}
      - {who: user:ben, joins: chat:board}
      - {who: user:ann, says: date, in: chat:board}
    here_now: {channel: chat:board}
  want:
    viewers: {status: known}
    results:
      - {id: plan, admit: false, reasons: [viewer_not_in_audience]}
      - {id: date, admit: true, reasons: [audience_covers_viewers]}
    recorded: {viewers: [user:ann, user:ben], admitted: [date], denied: [plan]}
    absent: [user:ben]

Channels are direct, group, tenant or public. Somebody joins, leaves, loses_access_to a channel; says
an item in one; derives an item from others; edits an item into another; erases one. Only agents and those
who heard an item derive from it, edit it or erase it. Only an agent imports one, of which nobody knows
who heard it. In place of world, request has a body of POST /v1/decisions, or handoff one of POST
/v1/handoffs; of a hand-off, want has verdict, directive and results.

Every case also holds that the log has the wanted answer and that the answer names nobody who listens.
recorded says what the log has besides; absent is what must not come into the answer and could: those
whom an explanation names, or what is in a body that is refused. A folder of cases to copy from is
policytest/cases in the source of this program.

Examples:
  pdp test
  pdp test my-policy
  pdp test my-cases --policy my-policy
  pdp test my-policy --run embargo --verbose`
}

// Run runs the tests and prints those that failed.
func (c *testCmd) Run(ctx context.Context, p *process) error {
	var only *regexp.Regexp
	if c.Only != "" {
		var err error
		if only, err = regexp.Compile(c.Only); err != nil {
			return misuse{fmt.Errorf("--run: %w", err)}
		}
	}
	folder := policyFolder(cmp.Or(c.Dir, c.Policy))
	fsys, err := folder.fs()
	if err != nil {
		return err
	}
	var cases *caseSet
	if folder != "" {
		var given policyFolder
		if c.Dir != "" {
			given = policyFolder(c.Policy)
		}
		if cases, err = readCases(string(folder), given); err != nil {
			return err
		}
	}
	cases.keep(only)
	refused := cases.printRefused(p.stdout)
	var tests tally
	if cases == nil || cases.ownPolicy {
		report, err := policy.RunTests(ctx, fsys, policy.TestOptions{Only: only})
		if err != nil {
			return folder.explain(err)
		}
		tests = printTests(p.stdout, report, c.Verbose)
	}
	held, err := cases.run(ctx, p.stdout, c.Verbose)
	if err != nil {
		return err
	}
	held.all += refused.all
	held.failed += refused.failed
	if tests.all+held.all == 0 && only != nil {
		return fmt.Errorf("no test in %s matches --run %s", folder, c.Only)
	}
	return summarise(p.stdout, folder, cases, tests, held)
}
