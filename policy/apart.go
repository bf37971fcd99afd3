package policy

import (
	"context"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"

	"earshot/policy/residual"
)

// apart is a policy taken apart into rules.
type apart struct {
	*answer
	doubts []residual.Rule
	sets   [3][]residual.Rule
	left   [3][]residual.Outside
}

// takeApart evaluates a policy in part. An error says why it can only be asked as a whole; the policy is
// good all the same.
func takeApart(ctx context.Context, c *ast.Compiler, s storage.Store) (*apart, error) {
	a := &apart{}
	var err error
	if a.doubts, err = doubtsOf(ctx, c, s); err != nil {
		return nil, err
	}
	pq, err := partial(ctx, c, s, "x = data.earshot.decision", pathKnown, pathPresent)
	if err != nil {
		return nil, err
	}
	if a.answer, err = partsOf(pq, c); err != nil {
		return nil, err
	}
	for i, ref := range []ast.Ref{a.permits, a.forbids, a.obligations} {
		if a.sets[i], a.left[i], err = a.Set(ref); err != nil {
			return nil, err
		}
	}
	return a, noEmptyCode(append(a.sets[:], a.doubts)...)
}

// noEmptyCode returns an error where a rule gives the empty code, which is no answer.
func noEmptyCode(sets ...[]residual.Rule) error {
	for _, rules := range sets {
		for _, rule := range rules {
			if rule.Code == "" {
				return fmt.Errorf("a rule gives an empty code where %s", rule.When)
			}
		}
	}
	return nil
}

const pathAmbiguous = "data.earshot.viewers.ambiguous"

// doubtsOf returns the rules that make viewers ambiguous, as the report has them. Who is present is what
// the policy says here, and not what the engine makes of it.
func doubtsOf(ctx context.Context, c *ast.Compiler, s storage.Store) ([]residual.Rule, error) {
	if err := knownAsUsual(ctx, c, s); err != nil {
		return nil, err
	}
	pq, err := partial(ctx, c, s, "x = "+pathAmbiguous)
	if err != nil {
		return nil, err
	}
	set, err := theRule(pq)
	if err != nil {
		return nil, err
	}
	// A rule that reads the candidate is outside of the fragment here: there is none yet.
	known := residual.New(pq.Support, turnFields())
	known.Read(c.Modules)
	rules, left, err := known.Set(set)
	if err == nil && len(left) > 0 {
		err = left[0].Err
	}
	return rules, err
}

// knownAsUsual returns an error unless viewers are known exactly where there is no reason to doubt them.
func knownAsUsual(ctx context.Context, c *ast.Compiler, s storage.Store) error {
	pq, err := partial(ctx, c, s, "x = data.earshot.viewers.report", pathPresent, pathAmbiguous)
	if err != nil {
		return err
	}
	report, err := theObject(pq, 3)
	if err != nil {
		return err
	}
	if reasons, ok := partOf(report, "reasons"); !ok || reasons.String() != pathAmbiguous {
		return fmt.Errorf("the reasons to doubt the viewers are not %s: %v", pathAmbiguous, report)
	}
	var bodies []string
	for _, module := range pq.Support {
		for _, rule := range module.Rules {
			switch value := ast.Boolean(!rule.Default); {
			case rule.Else != nil || rule.Head.Value == nil || rule.Head.Value.Value.Compare(value) != 0:
				return fmt.Errorf("viewers are known otherwise than by true and, by default, false: %v", rule)
			case !rule.Default:
				bodies = append(bodies, rule.Body.String())
			}
		}
	}
	if !slices.Equal(bodies, []string{fmt.Sprintf("count(%s, 0)", pathAmbiguous)}) {
		return fmt.Errorf("viewers are known otherwise than where nothing makes them ambiguous: %v", bodies)
	}
	return nil
}
