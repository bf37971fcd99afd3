package policy

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Config has what a Point needs. Engine, Recorder, Clock and NewID are required.
type Config struct {
	Engine   *Engine
	Recorder Recorder

	// HandoffRecorder keeps hand-offs; nil where none are offered, and then HandOff admits nothing.
	HandoffRecorder HandoffRecorder

	// Registry is what this service itself knows; nil where it keeps no rosters and grants.
	Registry Registry

	// Seals verifies the seals of candidates; nil where there are no keys, and then every seal is
	// invalid.
	Seals Seals

	// Clock returns the current time. It is read once a decision.
	Clock func() time.Time

	// NewID returns a fresh UUID version 7.
	NewID func() (string, error)

	// DecideTimeout is how long the policy may take for one request. Zero means 15 seconds.
	DecideTimeout time.Duration

	// CommitTimeout is how long Record may take, apart from the caller's own deadline, so that a
	// caller who hangs up does not unlog a decision. Zero means ten seconds.
	CommitTimeout time.Duration
}

// Point is the policy decision point: the one place where an Admitted comes from. It keeps no state
// between requests and is safe for concurrent use.
type Point struct {
	config Config
}

// NewPoint returns a Point, or an error that names what the config lacks.
func NewPoint(c Config) (*Point, error) {
	switch {
	case c.Engine == nil:
		return nil, errors.New("policy: Config.Engine is required")
	case c.Recorder == nil:
		return nil, errors.New("policy: Config.Recorder is required")
	case c.Clock == nil:
		return nil, errors.New("policy: Config.Clock is required")
	case c.NewID == nil:
		return nil, errors.New("policy: Config.NewID is required")
	}
	if c.DecideTimeout == 0 {
		c.DecideTimeout = 15 * time.Second
	}
	if c.CommitTimeout == 0 {
		c.CommitTimeout = 10 * time.Second
	}
	return &Point{config: c}, nil
}

// Decide decides every candidate of the request for the viewers of its turn, records the decision
// and returns it. A candidate that is wrong in itself is denied and leaves its neighbours alone.
//
// Errors: ErrInvalidRequest (nothing decided), ErrPolicyUnavailable (nothing recorded),
// ErrNotRecorded (nothing admitted), or the context's error if it ended before the decision.
func (p *Point) Decide(ctx context.Context, req Request) (*Decision, error) {
	entry, failures, err := p.decide(ctx, req)
	if err != nil {
		return nil, err
	}

	// Taken before the Recorder sees the entry: it may keep a decision, never make one.
	admitted := p.admissions(entry)

	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.config.CommitTimeout)
	defer cancel()
	position, err := p.config.Recorder.Record(commit, entry)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecorded, err)
	}

	return &Decision{Entry: *entry, Log: position, Failures: failures, admitted: admitted}, nil
}

// decide is Decide up to the record.
func (p *Point) decide(ctx context.Context, req Request) (*Entry, []Failure, error) {
	id, err := p.config.NewID()
	if err != nil {
		return nil, nil, fmt.Errorf("make a decision id: %w", err)
	}
	entry := &Entry{
		ID:             id,
		At:             p.config.Clock().UTC().Truncate(time.Microsecond),
		PolicyRevision: p.config.Engine.Revision(),
	}
	if entry.Request, err = normalize(req); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.config.DecideTimeout)
	defer cancel()
	seals, err := p.checkSeals(ctx, &entry.Request, entry.At)
	if err != nil {
		return nil, nil, err
	}
	for i := range entry.Request.Candidates {
		c := &entry.Request.Candidates[i]
		c.Unstated, c.Seal = 0, sealDigest(c.Seal)
	}
	if p.config.Registry != nil {
		if entry.Facts, err = p.config.Registry.Facts(ctx, &entry.Request); err != nil {
			return nil, nil, fmt.Errorf("%w: look up the registry: %w", ErrPolicyUnavailable, err)
		}
	}
	if p.config.Seals != nil || entry.Facts.Seals == nil {
		entry.Facts.Seals = seals
	}
	failures, err := p.config.Engine.evaluate(ctx, entry)
	if err != nil {
		return nil, nil, err
	}
	entry.Verdict, entry.Directive = judge(&entry.Request, entry.Results)
	return entry, failures, nil
}

// Explain says why the result at position came out as it did. It panics if position is out of
// range.
func (p *Point) Explain(d *Decision, position int) Detail {
	return p.config.Engine.explain(d, position)
}
