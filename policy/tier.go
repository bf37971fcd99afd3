package policy

import (
	"context"
	"errors"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
)

// evaluator decides by one form of a policy.
type evaluator interface {
	// evaluate fills in the viewers and the results of an entry whose request is in normal form. It
	// returns what went wrong inside the policy, one failure for each CodePolicyError among the
	// results. Errors: ErrPolicyUnavailable, or the context's.
	evaluate(ctx context.Context, entry *Entry) ([]Failure, error)
}

func (e *Engine) use(tier evaluator) { e.tier.Store(&tier) }

// Tier says how an engine works its answers out.
type Tier struct {
	// Compiled is true where the policy runs as closures.
	Compiled bool

	// Why says why it does not; empty where it does.
	Why string

	// Interpreted has a line for each rule that OPA evaluates all the same, since it says something for
	// which no closure can be made: file and row where they are known, code, construct and problem.
	Interpreted []string
}

// Tier returns how the engine works its answers out now.
func (e *Engine) Tier() Tier {
	t := Tier{}
	switch tier := (*e.tier.Load()).(type) {
	case *compiled:
		t.Compiled = true
		if tier.outside != nil {
			t.Interpreted = append(t.Interpreted, tier.outside.problems...)
		}
	default:
		if why := e.why.Load(); why != nil {
			t.Why = (*why).Error()
		}
	}
	return t
}

// tierTimeout is how long it may take to make closures and to hold them to OPA. A policy that needs
// longer is left to OPA.
const tierTimeout = 10 * time.Second

// chooseTier makes closures of the policy and puts them to use, if they agree with OPA.
func (e *Engine) chooseTier(ctx context.Context, b *Bundle, c *ast.Compiler, s storage.Store) {
	ctx, cancel := context.WithTimeout(ctx, tierTimeout)
	defer cancel()
	closures, err := e.closures(ctx, b, c, s)
	if err == nil {
		err = closures.check(ctx, probeTurns)
	}
	if err != nil {
		e.why.Store(&err)
		return
	}
	e.use(closures)
}

func (e *Engine) closures(ctx context.Context, b *Bundle, c *ast.Compiler, s storage.Store) (*compiled, error) {
	a, err := takeApart(ctx, c, s)
	if err != nil {
		return nil, err
	}
	return newCompiled(ctx, e, b, a, s)
}

// Recheck decides an entry by both tiers, whatever is in use, and goes back to OPA for good where they
// differ: then it returns an ErrDisagree that says on what. The entry stays as it is.
func (e *Engine) Recheck(ctx context.Context, entry *Entry) error {
	closures, ok := (*e.tier.Load()).(*compiled)
	if !ok {
		return nil
	}
	err := agreeOn(ctx, interpreted{e}, closures, entry)
	if errors.Is(err, ErrDisagree) {
		e.why.Store(&err)
		e.use(interpreted{e})
	}
	return err
}
