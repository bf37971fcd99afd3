package residual

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

const (
	// maxSlots is how many elements can be looked at inside of one another.
	maxSlots = 8

	// maxDepth bounds the rules that refer to rules. Rego has no recursion.
	maxDepth = 64
)

// translator makes conditions of the bodies of a residual.
type translator struct {
	*Residual
	depth int
}

// scope has what the variables of one body stand for. It is not changed once it was handed on.
type scope struct {
	vars  map[ast.Var]thing
	slots int // the next slot that is free

	// from has, by slot, what its element is of, as Many writes it.
	from [maxSlots]string
}

// thing is what a term stands for: a Value, a List, a set, an object or a position.
type thing any

// object is the object of a list that is in a slot.
type object struct {
	slot int
	list string
}

// position is where in an array the element of a slot stands.
type position struct {
	slot  int
	array string // as Many writes it
}

func (s scope) bind(v ast.Var, t thing) scope {
	vars := make(map[ast.Var]thing, len(s.vars)+1)
	for k, old := range s.vars {
		vars[k] = old
	}
	vars[v] = t
	s.vars = vars
	return s
}

// body returns the condition that an assignment of the variables exists under which every expression
// and what then returns hold. Expressions stand in any order, as they do in a residual; each is taken
// when all that it reads is there.
func (t *translator) body(body ast.Body, s scope, then func(scope) (Cond, error)) (Cond, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, unsupported(body, "is nested too deep")
	}
	defer func() { t.depth-- }()

	rest := slices.Clone(body)
	outer := varsOf(rest)
	var conds And
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(e *ast.Expr) bool { return ready(e, s, outer) })
		if i >= 0 {
			cond, err := t.expr(rest[i], s)
			if err != nil {
				return nil, err
			}
			conds = append(conds, cond)
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		if i, v, term := assignment(rest, s, outer); i >= 0 {
			value, err := t.term(term, s)
			if err != nil {
				return nil, err
			}
			if free, ok := value.(JSON); ok { // A value that is missing fails the body, whatever is done with it.
				conds = append(conds, IsType{Type: "defined", Of: free})
			}
			s = s.bind(v, value)
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		some, err := t.generate(rest, s, then)
		if err != nil {
			return nil, err
		}
		return and(append(conds, some)), nil
	}
	last, err := then(s)
	if err != nil {
		return nil, err
	}
	return and(append(conds, last)), nil
}

// generate goes over the elements that one of the expressions iterates over.
func (t *translator) generate(rest ast.Body, s scope, then func(scope) (Cond, error)) (Cond, error) {
	for _, e := range rest {
		if e.Negated {
			continue
		}
		prefix, v := generator(e, s)
		if prefix == nil {
			continue
		}
		of, err := t.term(ast.NewTerm(prefix), s)
		if err != nil {
			return nil, err
		}
		switch of := of.(type) {
		case List:
			some, inner, err := s.open(v, of, position{array: of.String()})
			if err != nil {
				return nil, err
			}
			where, err := t.body(rest, inner, then)
			return Some{Slot: some, In: of, Where: where}, err
		case set:
			return t.generateNames(of, v, rest, s, then)
		default:
			return nil, unsupported(prefix, "has no elements that can be gone over")
		}
	}
	return nil, unsupported(rest, "no expression can be taken first")
}

// generateNames goes over a set of names. The variable in the brackets is the name in a set, and the
// position in an array.
func (t *translator) generateNames(of set, v ast.Var, rest ast.Body, s scope, then func(scope) (Cond, error)) (Cond, error) {
	names, ok := of.(plain)
	if !ok {
		return t.each(of, s.slots, func(slots int, name Value) (Cond, error) {
			inner := s.bind(v, name)
			inner.slots = slots
			return t.body(rest, inner, then)
		})
	}
	var as thing = position{array: names.String()}
	if t.isSet(names.Names) {
		as = Each{}
	}
	some, inner, err := s.open(v, names.Names, as)
	if err != nil {
		return nil, err
	}
	where, err := t.body(rest, inner, then)
	return Some{Slot: some, In: names.Names, Where: where}, err
}

// open takes the next slot for an element of a set and binds v to it, or to its position.
func (s scope) open(v ast.Var, of Many, as thing) (slot int, inner scope, err error) {
	if s.slots == maxSlots {
		return 0, scope{}, unsupported(v, "is one of too many that iterate inside of one another")
	}
	switch as := as.(type) {
	case position:
		as.slot = s.slots
		inner = s.bind(v, as)
	default:
		inner = s.bind(v, Each{Slot: s.slots})
	}
	inner.from[s.slots] = of.String()
	inner.slots++
	return s.slots, inner, nil
}

func (t *translator) isSet(n Names) bool {
	switch n := n.(type) {
	case FieldNames:
		return t.fields[n.Path].isSet
	case LiteralNames:
		return true
	default:
		return false
	}
}

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
		if e.Negated || !e.IsEquality() && !e.IsAssignment() {
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
