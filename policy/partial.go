package policy

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"

	"earshot/policy/residual"
)

const (
	pathKnown   = "data.earshot.viewers.known"
	pathPresent = "data.earshot.viewers.present"
)

// partial evaluates a query as far as it can be without the unknowns, which is at least input.
func partial(ctx context.Context, c *ast.Compiler, s storage.Store, query string, unknowns ...string) (*rego.PartialQueries, error) {
	var terms []*ast.Term
	for _, path := range append([]string{"input"}, unknowns...) {
		term, err := ast.ParseTerm(path)
		if err != nil {
			return nil, err
		}
		terms = append(terms, term)
	}
	pq, err := rego.New(
		rego.Query(query), rego.Compiler(c), rego.Store(s), rego.ParsedUnknowns(terms), rego.StrictBuiltinErrors(true),
	).Partial(ctx)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s in part: %w", query, err)
	}
	return pq, nil
}

// answer is the residual of the decision on one candidate: where its parts stand among the support
// modules.
type answer struct {
	*residual.Residual
	admit, permits, forbids, obligations ast.Ref
	support                              []*ast.Module
}

// partsOf takes the decision apart: an object of four, of which admit holds where there is a permit and
// no forbid. Otherwise the policy is to be asked as a whole.
func partsOf(pq *rego.PartialQueries, c *ast.Compiler) (*answer, error) {
	object, err := theObject(pq, 4)
	if err != nil {
		return nil, err
	}
	a := &answer{support: pq.Support}
	for name, ref := range map[string]*ast.Ref{
		"admit": &a.admit, "permits": &a.permits, "forbids": &a.forbids, "obligations": &a.obligations,
	} {
		var ok bool
		if *ref, ok = partOf(object, name); !ok {
			return nil, fmt.Errorf("%s of %s is not a rule of its own", name, object)
		}
	}
	if !a.admitsAsUsual() {
		return nil, fmt.Errorf("%s: it is not that a permit holds and no forbid", a.admit)
	}
	a.Residual = residual.New(pq.Support, fields())
	a.Residual.Read(c.Modules)
	// Obligations are asked for what is admitted.
	a.Assume(a.admit)
	return a, nil
}

// partOf returns the rule that a member of an object is.
func partOf(object ast.Object, name string) (ast.Ref, bool) {
	term := object.Get(ast.StringTerm(name))
	if term == nil {
		return nil, false
	}
	ref, ok := term.Value.(ast.Ref)
	return ref, ok
}

// theRule returns the rule that the query x = … leaves as x.
func theRule(pq *rego.PartialQueries) (ast.Ref, error) {
	if len(pq.Queries) == 1 && len(pq.Queries[0]) == 1 && pq.Queries[0][0].IsEquality() {
		for i := range 2 {
			if ref, ok := pq.Queries[0][0].Operand(i).Value.(ast.Ref); ok {
				return ref, nil
			}
		}
	}
	return nil, fmt.Errorf("the answer is not one rule: %v", pq.Queries)
}

// theObject returns the object of so many members that the query x = {…} leaves as x.
func theObject(pq *rego.PartialQueries, members int) (ast.Object, error) {
	if len(pq.Queries) != 1 || len(pq.Queries[0]) != 1 || !pq.Queries[0][0].IsEquality() {
		return nil, fmt.Errorf("the answer is not one expression: %v", pq.Queries)
	}
	for i := range 2 {
		if object, ok := pq.Queries[0][0].Operand(i).Value.(ast.Object); ok && object.Len() == members {
			return object, nil
		}
	}
	return nil, fmt.Errorf("the answer is not one object: %v", pq.Queries)
}

// admitsAsUsual reports whether admit is false by default, and true where a permit holds and no forbid.
func (a *answer) admitsAsUsual() bool {
	want := map[string]bool{
		fmt.Sprintf("gt(count(%s), 0)", a.permits): true,
		fmt.Sprintf("count(%s, 0)", a.forbids):     true,
	}
	seen := 0
	for _, module := range a.support {
		for _, rule := range module.Rules {
			if !module.Package.Path.Extend(rule.Head.Ref()).Equal(a.admit) {
				continue
			}
			seen++
			if rule.Default {
				if rule.Head.Value.Value.Compare(ast.Boolean(false)) != 0 {
					return false
				}
				continue
			}
			if rule.Else != nil || rule.Head.Value.Value.Compare(ast.Boolean(true)) != 0 || len(rule.Body) != len(want) {
				return false
			}
			for _, e := range rule.Body {
				if e.Negated || len(e.With) > 0 || !want[e.String()] {
					return false
				}
			}
		}
	}
	return seen == 2
}
