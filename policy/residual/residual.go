package residual

import (
	"errors"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Residual is what partial evaluation left of a policy.
type Residual struct {
	fields shape
	rules  map[string][]*ast.Rule
	holds  map[string]bool

	// plainJSON is true where free JSON in a negation or a comprehension means what stands there.
	plainJSON bool
}

// New returns the residual with the given support modules, over the fields of a schema.
func New[F any](support []*ast.Module, schema Schema[F]) *Residual {
	r := &Residual{fields: schema.shape(), rules: map[string][]*ast.Rule{}, holds: map[string]bool{}}
	for _, module := range support {
		for _, rule := range module.Rules {
			if path, ok := nameOf(module.Package.Path.Extend(rule.Head.Ref().GroundPrefix())); ok {
				r.rules[path] = append(r.rules[path], rule)
			}
		}
	}
	return r
}

// Assume makes the rule at path count as true: it is asked only where it is.
func (r *Residual) Assume(path ast.Ref) {
	if name, ok := nameOf(path); ok {
		r.holds[name] = true
	}
}

// Rule is one rule that adds a code to a set.
type Rule struct {
	Code string
	When Cond
}

// Outside is a rule that adds to a set and is outside of the fragment.
type Outside struct {
	Rule *ast.Rule
	Err  *Unsupported
}

// Set returns the rules of the set of codes at path, in their order, and those of them that are outside
// of the fragment. Its error is an *Unsupported one: there is no set of codes that could be taken apart.
func (r *Residual) Set(path ast.Ref) ([]Rule, []Outside, error) {
	name, ok := nameOf(path)
	if !ok {
		return nil, nil, unsupported(path, "is not the name of a rule")
	}
	var rules []Rule
	var outside []Outside
	for _, rule := range r.rules[name] {
		if !addsToSet(rule) {
			return nil, nil, unsupported(path, "is not a set")
		}
		made, err := r.one(rule)
		if cause, ok := errors.AsType[*Unsupported](err); ok {
			outside = append(outside, Outside{Rule: rule, Err: cause})
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		rules = append(rules, made)
	}
	return rules, outside, nil
}

// addsToSet reports whether a rule adds to the set that its path names, and not to one of several below
// it.
func addsToSet(rule *ast.Rule) bool {
	return rule.Head.RuleKind() == ast.MultiValue && rule.Head.Ref().IsGround() && rule.Else == nil && !rule.Default
}

func (r *Residual) one(rule *ast.Rule) (Rule, error) {
	code, ok := rule.Head.Key.Value.(ast.String)
	if !ok {
		return Rule{}, unsupported(rule.Head, "its code depends on the input")
	}
	t := translator{Residual: r}
	when, err := t.body(rule.Body, scope{}, func(scope) (Cond, error) { return Const(true), nil })
	return Rule{Code: string(code), When: when}, err
}
