package residual

import "github.com/open-policy-agent/opa/v1/ast"

// A value inside of free JSON can be missing, and then
//
//	x := input.free.k; not x == 1
//
// fails, while "not input.free.k == 1" holds. Partial evaluation leaves the second of either, since it
// puts what a variable stands for in its place. So a residual alone does not say what a negation of
// such a value means, nor a comprehension that reads it; the text of the policy does.

// Read takes in the policy's own compiled modules. Without them, a negation or a comprehension with a
// value inside of free JSON is outside of the fragment; with them, only where a variable for such a
// value stands in a negation, in a comprehension, or goes from one rule to another.
func (r *Residual) Read(modules map[string]*ast.Module) {
	r.plainJSON = true
	for _, module := range modules {
		ast.WalkRules(module, func(rule *ast.Rule) bool {
			if r.handsOnJSON(rule) {
				r.plainJSON = false
			}
			return false
		})
	}
}

// handsOnJSON reports whether a rule uses a variable for free JSON otherwise than in an expression of
// its own body that holds or fails by itself.
func (r *Residual) handsOnJSON(rule *ast.Rule) bool {
	free := map[ast.Var]bool{}
	for known := -1; known != len(free); {
		known = len(free)
		ast.WalkExprs(rule, func(e *ast.Expr) bool {
			if e.IsEquality() || e.IsAssignment() {
				r.bindJSON(free, e.Operand(0), e.Operand(1))
				r.bindJSON(free, e.Operand(1), e.Operand(0))
			}
			return false
		})
	}
	mentions := func(x any) bool {
		found := false
		ast.WalkVars(x, func(v ast.Var) bool {
			found = found || free[v]
			return found
		})
		return found
	}
	if len(free) == 0 {
		return false
	}
	handed := mentions(rule.Head)
	ast.WalkExprs(rule, func(e *ast.Expr) bool {
		if e.Negated || len(e.With) > 0 || e.IsEvery() || e.IsCall() && ast.BuiltinMap[e.Operator().String()] == nil {
			handed = handed || mentions(e)
		}
		return handed
	})
	ast.WalkClosures(rule, func(x any) bool {
		handed = handed || mentions(x)
		return handed
	})
	return handed
}

// bindJSON notes that v stands for free JSON where of is such, or leads into what is.
func (r *Residual) bindJSON(free map[ast.Var]bool, v, of *ast.Term) {
	name, ok := v.Value.(ast.Var)
	if !ok {
		return
	}
	switch of := of.Value.(type) {
	case ast.Var:
		free[name] = free[name] || free[of]
	case ast.Ref:
		head, _ := of[0].Value.(ast.Var)
		free[name] = free[name] || free[head] || r.readsJSON(of)
	}
	if !free[name] {
		delete(free, name)
	}
}

// readsJSON reports whether a construct has a reference to free JSON or into it.
func (r *Residual) readsJSON(x any) bool {
	found := false
	ast.WalkRefs(x, func(ref ast.Ref) bool {
		for i := 2; i <= len(ref) && !found; i++ {
			if path, ok := nameOf(ref[:i]); ok {
				found = r.fields[path].kind == jsonField
			}
		}
		return found
	})
	return found
}
