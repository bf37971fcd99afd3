package residual

import "github.com/open-policy-agent/opa/v1/ast"

// counted returns what a term counts.
func counted(term *ast.Term) (*ast.Term, bool) {
	call, ok := term.Value.(ast.Call)
	if !ok || call[0].String() != "count" {
		return nil, false
	}
	return call[1], true
}

// count returns the condition that a number of elements is in an order to n.
func (t *translator) count(at interface{ String() string }, op Op, term *ast.Term, n ast.Number, s scope) (Cond, error) {
	limit, ok := n.Int64()
	if !ok {
		return nil, unsupported(at, "compares a count with something that is not a whole number")
	}
	of, err := t.term(term, s)
	if err != nil {
		return nil, err
	}
	switch of := of.(type) {
	case List:
		return Count{Op: op, Of: of, N: limit}, nil
	case plain:
		return Count{Op: op, Of: of.Names, N: limit}, nil
	}
	names, ok := asSet(of)
	if !ok {
		return nil, unsupported(at, "counts something that is neither a list nor a set of names")
	}
	none, one := op.holds(cmpInt(0, limit)), op.holds(cmpInt(1, limit))
	if none == one || op.holds(cmpInt(2, limit)) != one || limit < 0 || limit > 1 {
		return nil, unsupported(at, "asks for more of a set than whether it is empty")
	}
	cond, err := t.each(names, s.slots, func(int, Value) (Cond, error) { return Const(true), nil })
	if none {
		cond = not(cond)
	}
	return cond, err
}

func cmpInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}
