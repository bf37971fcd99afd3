package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"earshot/decisionlog/keyring"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/uuid"
)

// readRequest reads a file, or standard input, as decode does.
func readRequest[T any](p *process, path string, decode func([]byte, wire.Limits) (T, error)) (T, error) {
	var none T
	limits := wire.DefaultLimits()
	source, name := p.stdin, "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return none, misuse{err}
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return none, misuse{fmt.Errorf("%s is a folder; name a file with a request", path)}
		}
		source, name = file, path
	}
	// One byte more than the limit tells a body that is too large from one that just fits.
	body, err := io.ReadAll(io.LimitReader(source, limits.Body+1))
	if err != nil {
		return none, fmt.Errorf("read %s: %w", name, err)
	}
	req, err := decode(body, limits)
	if err != nil {
		return none, refused(err)
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

// unrecorded takes the place of the log where the caller asked for none. Its admissions must not
// be used: the answer has no log position, and a sentence says so.
type unrecorded struct{}

// Record keeps nothing.
func (unrecorded) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

// RecordHandoff keeps nothing.
func (unrecorded) RecordHandoff(context.Context, *policy.HandoffEntry) (policy.Position, error) {
	return policy.Position{}, nil
}

// asked is where a question from the command line is decided.
type asked struct {
	point *policy.Point

	// evidence is nil where nothing is to be recorded.
	evidence *evidence
}

// openPoint returns a decision point that records in a folder, or nowhere where none is named. The
// caller must close it.
func openPoint(ctx context.Context, policyDir, dataDir string) (*asked, error) {
	engine, err := openPolicy(ctx, policyDir)
	if err != nil {
		return nil, err
	}
	if dataDir == "" {
		point, err := policy.NewPoint(policy.Config{
			Engine: engine, Recorder: unrecorded{}, HandoffRecorder: unrecorded{}, Clock: time.Now, NewID: newID,
		})
		return &asked{point: point}, err
	}
	e, err := openEvidence(ctx, dataDir, keyring.Given{})
	if err != nil {
		return nil, err
	}
	point, err := e.point(ctx, engine, e.log)
	if err != nil {
		return nil, errors.Join(err, e.log.Close())
	}
	return &asked{point: point, evidence: e}, nil
}

// close closes the data folder.
func (a *asked) close() error {
	if a.evidence == nil {
		return nil
	}
	return a.evidence.log.Close()
}

// sayUnrecorded tells the caller what an answer without a log is worth.
func sayUnrecorded(p *process, dir string) {
	if dir == "" {
		fmt.Fprintln(p.stderr, "pdp: nothing was recorded; name a data folder with --data to record the decision")
	}
}

// printAnswer lays an answer out for people.
func printAnswer(w io.Writer, answer any) error {
	text, err := wire.Marshal(answer)
	if err == nil {
		_, err = w.Write(append(layout(text), '\n'))
	}
	if err != nil {
		return fmt.Errorf("print the answer: %w", err)
	}
	return nil
}

// newID returns a fresh UUID version 7.
func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}
