package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/uuid"
)

type decideCmd struct {
	File string `arg:"" help:"File with the request; - is standard input."`
	Data string `placeholder:"DIR" help:"Data folder to record the decision in; made if absent."`
	policyFlag
	Explain bool `help:"Say of each result why; names people."`
}

// Help is shown by pdp decide --help.
func (decideCmd) Help() string {
	return `Request and answer are those of POST /v1/decisions. Without --data nothing is recorded: "log" is
then null, and nothing that was admitted may enter a prompt.

Examples:
  pdp decide request.json
  pdp decide --explain --data ./data - <request.json`
}

// Run decides one request and prints the answer.
func (c *decideCmd) Run(ctx context.Context, p *process) (err error) {
	req, err := c.read(p)
	if err != nil {
		return err
	}
	engine, err := openPolicy(ctx, c.Policy)
	if err != nil {
		return err
	}
	var recorder policy.Recorder = unrecorded{}
	if c.Data != "" {
		log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: c.Data})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, log.Close()) }()
		recorder = log
	}
	point, err := newPoint(engine, recorder)
	if err != nil {
		return err
	}
	decision, err := point.Decide(ctx, req)
	if err != nil {
		return refused(err)
	}
	if err := c.print(p.stdout, point, decision); err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	if c.Data == "" {
		fmt.Fprintln(p.stderr, "pdp: nothing was recorded; name a data folder with --data to record the decision")
	}
	return nil
}

func (c *decideCmd) read(p *process) (policy.Request, error) {
	limits := wire.DefaultLimits()
	source, name := p.stdin, "standard input"
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return policy.Request{}, misuse{err}
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return policy.Request{}, misuse{fmt.Errorf("%s is a folder; name a file with a request", c.File)}
		}
		source, name = file, c.File
	}
	// One byte more than the limit tells a body that is too large from one that just fits.
	body, err := io.ReadAll(io.LimitReader(source, limits.Body+1))
	if err != nil {
		return policy.Request{}, fmt.Errorf("read %s: %w", name, err)
	}
	req, err := wire.DecodeDecision(body, limits)
	if err != nil {
		return policy.Request{}, refused(err)
	}
	return req, nil
}

// refused tells an invalid request, which the caller can correct, from a failure.
func refused(err error) error {
	refusal, ok := wire.AsError(err)
	switch {
	case !ok:
		return fmt.Errorf("%w; nothing was admitted", err)
	case refusal.Pointer != "":
		return misuse{fmt.Errorf("the request is refused (%s) at %s: %s", refusal.Code, refusal.Pointer, refusal.Detail)}
	default:
		return misuse{fmt.Errorf("the request is refused (%s): %s", refusal.Code, refusal.Detail)}
	}
}

func (c *decideCmd) print(w io.Writer, point *policy.Point, decision *policy.Decision) error {
	var details []policy.Detail
	if c.Explain {
		details = make([]policy.Detail, len(decision.Results))
		for i := range details {
			details[i] = point.Explain(decision, i)
		}
	}
	answer := wire.EncodeDecision(decision, details)
	if c.Data == "" {
		answer.Log = nil
	}
	text, err := wire.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = w.Write(append(layout(text), '\n'))
	return err
}

// unrecorded takes the place of the log where the caller asked for none. Its admissions must not
// be used: the answer has no log position, and a sentence says so.
type unrecorded struct{}

// Record keeps nothing.
func (unrecorded) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

// newPoint returns a decision point on the clock of this machine.
func newPoint(engine *policy.Engine, recorder policy.Recorder) (*policy.Point, error) {
	return policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: recorder,
		Clock:    time.Now,
		NewID:    newID,
	})
}

// newID returns a fresh UUID version 7.
func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}
