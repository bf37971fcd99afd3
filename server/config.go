package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/decisionlog"
	keys "earshot/decisionlog/keyring"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/rs/zerolog"
)

// Decider decides requests: a *policy.Point.
type Decider interface {
	// Decide returns the recorded decision. Its errors are those of policy.Point.
	Decide(ctx context.Context, req policy.Request) (*policy.Decision, error)

	// HandOff returns the recorded hand-off. Its errors are those of policy.Point.
	HandOff(ctx context.Context, h policy.Handoff) (*policy.HandoffDecision, error)

	// ExplainHandoff says why the result at position came out as it did.
	ExplainHandoff(d *policy.HandoffDecision, position int) policy.Detail

	// Explain says why the result at position came out as it did.
	Explain(d *policy.Decision, position int) policy.Detail
}

// Decisions answers questions about past decisions: a *decisionlog.Log.
type Decisions interface {
	// Get returns one decision, or decisionlog.ErrNotFound.
	Get(ctx context.Context, id string) (*decisionlog.Record, error)

	// List returns one page of decisions, newest first, or decisionlog.ErrInvalidQuery.
	List(ctx context.Context, q decisionlog.Query) (decisionlog.Page, error)

	Audit
	Exporter
}

// Check is one condition that must hold for the service to be of use.
type Check struct {
	// Name is for the operator, such as decision_log.
	Name string

	// Ready returns nil, or why the condition does not hold. The cause goes to the log only.
	Ready func(ctx context.Context) error
}

// Config has what a Server needs. Point, Decisions, Receipts and PolicyRevision are required.
type Config struct {
	Point     Decider
	Decisions Decisions

	// PolicyRevision returns the digest of the policy that decides now.
	PolicyRevision func() string

	// Tier returns how the policy is worked out now; nil leaves it out of /readyz and the metrics.
	Tier func() policy.Tier

	// Differences returns how many decisions came out otherwise when they were worked out both ways; nil
	// where none is.
	Differences func() uint64

	// Keys returns the public keys of receipts and seals, in force and closed. Nil means that there are
	// none.
	Keys func() []keys.Key

	// Receipts signs hand-offs, and decisions whose caller asks for it. Required.
	Receipts Receipts

	// Seals seals items that callers recorded elsewhere. Nil means that there is no key, and requests
	// for seals are answered "not_found".
	Seals Sealer

	// Fingerprints remembers the texts of items that were sealed; nil remembers none.
	Fingerprints Fingerprints

	// Tree proves what is in the decision log. Nil means that there is no tree, and whoever asks for a
	// proof is answered "not_found".
	Tree Tree

	// Contexts checks contexts before they reach a model. Nil means that there is nothing to check
	// them against, and every check is answered "not_found".
	Contexts ContextChecker

	// Erasures forgets names. Nil means that nothing can be forgotten here, and every request for it is
	// answered "not_found".
	Erasures Eraser

	// Ready are the conditions of readiness.
	Ready []Check

	// Auth are the credentials that are let in. Without any, every caller has every scope, so the
	// listener must then be for this machine only.
	Auth []Credential

	// Limits bound one request; zero fields have the values of wire.DefaultLimits.
	Limits wire.Limits

	// Hosts are the names and addresses, without a port, under which the service may be asked beside
	// those of this machine and the address that a connection came in on; "*" takes any. They count
	// where Auth is empty: then a page of another site that has its name lead here (DNS rebinding)
	// could ask and read in the name of whoever looks at it.
	Hosts []string

	// MaxInFlight is how many decisions are worked on at once, from the moment their body is there;
	// more are answered "overloaded". Zero means 256.
	MaxInFlight int

	// MaxBodyBytes is how many bytes of bodies are held at once; a request that would exceed it is
	// answered "overloaded". What is made of a body is a small multiple of it, so this bounds memory.
	// Zero means 256 MiB, or Limits.Body where that is more.
	MaxBodyBytes int64

	// Grace is how long Serve waits for accepted requests when it stops. Zero means 20 seconds.
	Grace time.Duration

	// Clock returns the current time, for the entries of questions. Nil means time.Now.
	Clock func() time.Time

	// Logger takes one line a request. The zero Logger discards.
	Logger zerolog.Logger

	// Version is the version of the program, for the metrics.
	Version string
}

const (
	defaultMaxInFlight  = 256
	defaultMaxBodyBytes = 256 << 20
	defaultGrace        = 20 * time.Second

	// audienceMemory is how many bytes of audiences the decoder remembers.
	audienceMemory = 16 << 20

	// maxReads is how many requests read decisions at once: a decision whole can be large.
	maxReads = 16
)

// checked returns c with its defaults, or an error that names what it lacks.
func (c Config) checked() (Config, error) {
	switch {
	case c.Point == nil:
		return c, errors.New("server: Config.Point is required")
	case c.Decisions == nil:
		return c, errors.New("server: Config.Decisions is required")
	case c.Receipts == nil:
		return c, errors.New("server: Config.Receipts is required")
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
	if c.Clock == nil {
		c.Clock = time.Now
	}
	c.Limits = c.Limits.WithDefaults()
	if c.MaxBodyBytes == 0 {
		c.MaxBodyBytes = max(defaultMaxBodyBytes, c.Limits.Body)
	}
	if c.MaxBodyBytes < c.Limits.Body {
		return c, fmt.Errorf("server: Config.MaxBodyBytes is %d, must be at least the limit of one body, %d", c.MaxBodyBytes, c.Limits.Body)
	}
	return c, nil
}
