package policy

import (
	"context"

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

// chooseTier makes closures of the policy and puts them to use, if they agree with OPA.
func (e *Engine) chooseTier(ctx context.Context, c *ast.Compiler, s storage.Store) {
	closures, err := newCompiled(ctx, e, c, s)
	if err != nil {
		e.why = err
		return
	}
	e.use(closures)
}
