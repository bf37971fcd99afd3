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
			conds = append(conds, t.isThere(value))
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
		if prefix == nil || !ready(prefix, s, nil) {
			continue
		}
		of, err := t.term(ast.NewTerm(prefix), s)
		if err != nil {
			return nil, err
		}
		if list, ok := of.(List); ok {
			some, inner, err := s.open(v, list, position{array: list.String()})
			if err != nil {
				return nil, err
			}
			where, err := t.body(rest, inner, then)
			return Some{Slot: some, In: list, Where: where}, err
		}
		if names, ok := asSet(of); ok {
			at := append(prefix[:len(prefix):len(prefix)], ast.VarTerm(string(v)))
			return t.generateNames(names, at, rest, s, then)
		}
		return nil, unsupported(prefix, "has no elements that can be gone over")
	}
	return nil, unsupported(rest, "no expression can be taken first")
}

// generateNames goes over a set of names, as the ref at does by its last variable. That is the name in
// a set, and the position in an array.
func (t *translator) generateNames(of set, at ast.Ref, rest ast.Body, s scope, then func(scope) (Cond, error)) (Cond, error) {
	v := at[len(at)-1].Value.(ast.Var)
	names, ok := of.(plain)
	if !ok {
		rest, err := elementAs(rest, at, v)
		if err != nil {
			return nil, err
		}
		return t.each(of, s.slots, func(slots int, name Value) (Cond, error) {
			inner := s.bind(v, name)
			inner.slots = slots
			return t.body(rest, inner, then)
		})
	}
	var as thing = position{array: names.String()}
	if !t.isArray(names) {
		as = Each{}
	}
	some, inner, err := s.open(v, names.Names, as)
	if err != nil {
		return nil, err
	}
	where, err := t.body(rest, inner, then)
	return Some{Slot: some, In: names.Names, Where: where}, err
}

// elementAs puts v in place of the ref at, an element of a set, which is what v stands for.
func elementAs(body ast.Body, at ast.Ref, v ast.Var) (ast.Body, error) {
	replaced, err := ast.TransformRefs(body.Copy(), func(ref ast.Ref) (ast.Value, error) {
		if ref.Equal(at) {
			return v, nil
		}
		return ref, nil
	})
	if err != nil {
		return nil, err
	}
	return replaced.(ast.Body), nil
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
