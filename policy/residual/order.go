package residual

import "github.com/open-policy-agent/opa/v1/ast"

// varsOf returns the variables of something, but those of its comprehensions.
func varsOf(x any) ast.VarSet {
	visit := ast.NewVarVisitor().WithParams(ast.VarVisitorParams{SkipRefCallHead: true, SkipClosures: true})
	visit.Walk(x)
	return visit.Vars()
}

// ready reports whether all variables that something reads stand for something. A variable that a
// comprehension shares with the body around it, which has the variables outer, is one of them.
func ready(x any, s scope, outer ast.VarSet) bool {
	visit := ast.NewVarVisitor().WithParams(ast.VarVisitorParams{SkipRefCallHead: true})
	visit.Walk(x)
	own := varsOf(x)
	for v := range visit.Vars() {
		if _, bound := s.vars[v]; bound || ast.RootDocumentNames.Contains(ast.VarTerm(string(v))) {
			continue
		}
		if own.Contains(v) || outer.Contains(v) {
			return false
		}
	}
	return true
}

// assignment returns an expression that gives a variable the value of a term that is ready.
func assignment(body ast.Body, s scope, outer ast.VarSet) (int, ast.Var, *ast.Term) {
	for i, e := range body {
		if e.Negated || len(e.With) > 0 {
			continue
		}
		if v, call, ok := output(e); ok {
			if _, bound := s.vars[v]; !bound && ready(call, s, outer) {
				return i, v, call
			}
		}
		if !e.IsEquality() && !e.IsAssignment() {
			continue
		}
		for _, sides := range [][2]int{{0, 1}, {1, 0}} {
			v, ok := e.Operand(sides[0]).Value.(ast.Var)
			if _, bound := s.vars[v]; !ok || bound {
				continue
			}
			if other := e.Operand(sides[1]); ready(other, s, outer) {
				return i, v, other
			}
		}
	}
	return -1, "", nil
}

// output returns the variable that an expression gives what a built-in function returns, and the call.
func output(e *ast.Expr) (ast.Var, *ast.Term, bool) {
	if !e.IsCall() {
		return "", nil, false
	}
	terms := e.Terms.([]*ast.Term)
	builtin, ok := ast.BuiltinMap[e.Operator().String()]
	if !ok || len(terms) != builtin.Decl.Arity()+2 {
		return "", nil, false
	}
	last := len(terms) - 1
	v, ok := terms[last].Value.(ast.Var)
	return v, ast.CallTerm(terms[:last]...), ok
}

// generator returns the ref that an expression iterates over outside of its comprehensions, up to the
// first variable in brackets that is not bound, and that variable.
func generator(e *ast.Expr, s scope) (prefix ast.Ref, name ast.Var) {
	visit := ast.NewGenericVisitor(func(x any) bool {
		switch x := x.(type) {
		case *ast.SetComprehension, *ast.ArrayComprehension, *ast.ObjectComprehension:
			return true
		case ast.Ref:
			for i := 1; i < len(x) && prefix == nil; i++ {
				v, ok := x[i].Value.(ast.Var)
				if _, bound := s.vars[v]; ok && !bound {
					prefix, name = x[:i], v
				}
			}
		}
		return prefix != nil
	})
	visit.Walk(e)
	return prefix, name
}
