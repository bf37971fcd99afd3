package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/rs/zerolog"
)

// Decider decides requests: a *policy.Point.
type Decider interface {
	// Decide returns the recorded decision. Its errors are those of policy.Point.
	Decide(ctx context.Context, req policy.Request) (*policy.Decision, error)

	// Explain says why the result at position came out as it did.
	Explain(e *policy.Entry, position int) policy.Detail
}

// Decisions answers questions about past decisions: a *decisionlog.Log.
type Decisions interface {
	// Get returns one decision, or decisionlog.ErrNotFound.
	Get(ctx context.Context, id string) (*decisionlog.Record, error)

	// List returns one page of decisions, newest first, or decisionlog.ErrInvalidQuery.
	List(ctx context.Context, q decisionlog.Query) (decisionlog.Page, error)
}

// Check is one condition that must hold for the service to be of use.
type Check struct {
	// Name is for the operator, such as decision_log.
	Name string

	// Ready returns nil, or why the condition does not hold. The cause goes to the log only.
	Ready func(ctx context.Context) error
}

// Config has what a Server needs. Point, Decisions and PolicyRevision are required.
type Config struct {
	Point     Decider
	Decisions Decisions

	// PolicyRevision returns the digest of the policy that decides now.
	PolicyRevision func() string

	// Ready are the conditions of readiness.
	Ready []Check

	// Auth are the credentials that are let in. Without any, every caller has every scope, so the
	// listener must then be for this machine only.
	Auth []Credential

	// Limits bound one request; zero fields have the values of wire.DefaultLimits.
	Limits wire.Limits

	// MaxInFlight is how many requests to /v1 are worked on at once; more are answered
	// "overloaded". It bounds memory together with Limits.Body. Zero means 256.
	MaxInFlight int

	// Grace is how long Serve waits for accepted requests when it stops. Zero means 20 seconds.
	Grace time.Duration

	// Logger takes one line a request. The zero Logger discards.
	Logger zerolog.Logger

	// Version is the version of the program, for the metrics.
	Version string
}

const (
	defaultMaxInFlight = 256
	defaultGrace       = 20 * time.Second
)

// checked returns c with its defaults, or an error that names what it lacks.
func (c Config) checked() (Config, error) {
	switch {
	case c.Point == nil:
		return c, errors.New("server: Config.Point is required")
	case c.Decisions == nil:
		return c, errors.New("server: Config.Decisions is required")
	case c.PolicyRevision == nil:
		return c, errors.New("server: Config.PolicyRevision is required")
	case c.MaxInFlight < 0:
		return c, fmt.Errorf("server: Config.MaxInFlight is %d, must be at least 1", c.MaxInFlight)
	}
	if c.MaxInFlight == 0 {
		c.MaxInFlight = defaultMaxInFlight
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	c.Limits = c.Limits.WithDefaults()
	return c, nil
}
