package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"
)

// Exit statuses.
const (
	statusFine   = 0
	statusFailed = 1
	statusMisuse = 2
)

// cli is the command line. Fields of a command are its flags and arguments.
type cli struct {
	Serve     serveCmd     `cmd:"" help:"Answer requests over HTTP and record every decision."`
	Decide    decideCmd    `cmd:"" help:"Decide one request from a file, without a server."`
	Handoff   handoffCmd   `cmd:"" help:"Decide one hand-off between agents from a file, without a server."`
	Check     checkCmd     `cmd:"" help:"Check that a policy compiles and may decide; list its rules."`
	Test      testCmd      `cmd:"" help:"Run the Rego tests and the cases of a policy."`
	Scenarios scenariosCmd `cmd:"" help:"Run the scenario suite through the decision point and the log; print the counts."`
	Demo      demoCmd      `cmd:"" help:"Start a server, ask it once, and show the answer and the log entry."`
	Log       logCmd       `cmd:"" help:"Look after the decision log."`
	Keys      keysCmd      `cmd:"" help:"Look after the keys that sign receipts and checkpoints."`
	Receipt   receiptCmd   `cmd:"" help:"Verify signed receipts, without a server."`
	Health    healthCmd    `cmd:"" help:"Ask a running server whether it is ready."`
	Version   versionCmd   `cmd:"" help:"Print the version, and the revision of the policy."`
	Help      helpCmd      `cmd:"" help:"Show this, or the help of one command."`
}

// helpCmd never runs: run turns it into --help. It is here to be listed.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"Command, such as serve."`
}

const description = `Earshot decides which memory items may enter an AI agent's prompt: an item is admitted only if
everyone who is listening now was within earshot when it was recorded. Every decision is recorded
before it is answered.

Start with: pdp demo`

// misuse is an error of the caller of the program: a flag, an argument, a file it was given.
type misuse struct{ error }

func (e misuse) Unwrap() error { return e.error }

// errReported ends a command whose output has said already what failed.
var errReported = errors.New("reported")

// run parses the command line, runs one command and returns the exit status. The command stops
// early when ctx ends.
func run(ctx context.Context, p *process) int {
	settings := &settings{getenv: p.getenv}
	printed := false
	parser, err := kong.New(new(cli),
		kong.Name("pdp"),
		kong.Description(description),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { printed = true }), // after --help
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 100}),
		kong.ValueFormatter(withVariable),
		kong.Resolvers(settings),
		kong.Bind(p, settings),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return report(p, err)
	}
	if len(p.args) == 0 {
		parser.Stdout = p.stderr
		_, _ = parser.Parse([]string{"--help"})
		return statusMisuse
	}
	args := p.args
	if args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	command, err := parser.Parse(args)
	switch {
	case printed:
		return statusFine
	case err != nil:
		return report(p, explainUse(err))
	}
	return report(p, command.Run())
}

// explainUse names the help that says how a command is used.
func explainUse(err error) error {
	if own, ok := errors.AsType[misuse](err); ok { // It says what to do.
		return own
	}
	command := "pdp"
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		for _, step := range wrong.Context.Path {
			if step.Command != nil {
				command += " " + step.Command.Name
			}
		}
	}
	return misuse{fmt.Errorf("%w; %s --help says more", err, command)}
}

// report tells the caller what went wrong and returns the exit status.
func report(p *process, err error) int {
	if err == nil {
		return statusFine
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintf(p.stderr, "pdp: %v\n", err)
	}
	if _, ok := errors.AsType[misuse](err); ok {
		return statusMisuse
	}
	return statusFailed
}
