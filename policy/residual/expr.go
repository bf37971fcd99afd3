package residual

import (
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// expr returns the condition that an expression holds, all of whose variables are bound.
func (t *translator) expr(e *ast.Expr, s scope) (Cond, error) {
	if len(e.With) > 0 {
		return nil, unsupported(e, "puts something in place of its input")
	}
	if e.Negated && !t.plainJSON && t.readsJSON(e) {
		return nil, unsupported(e, "negates free JSON; that it is missing can mean either")
	}
	var cond Cond
	var err error
	switch terms := e.Terms.(type) {
	case *ast.Term:
		cond, err = t.truth(terms, s)
	case []*ast.Term:
		cond, err = t.call(e, terms[0].Value.(ast.Ref), terms[1:], s)
	default:
		return nil, unsupported(e, "is neither a term nor a call")
	}
	if err != nil || !e.Negated {
		return cond, err
	}
	return not(cond), nil
}

// truth returns the condition that a term is there and not false.
func (t *translator) truth(term *ast.Term, s scope) (Cond, error) {
	if call, ok := term.Value.(ast.Call); ok {
		return t.call(term, call[0].Value.(ast.Ref), call[1:], s)
	}
	if ref, ok := term.Value.(ast.Ref); ok {
		if cond, ok, err := t.rule(ref, nil, s); ok {
			return cond, err
		}
	}
	of, err := t.term(term, s)
	if err != nil {
		return nil, err
	}
	switch of := of.(type) {
	case Value:
		switch t.fields.value(of) {
		case boolField:
			return compare(Equal, of, Literal(OfBool(true))), nil
		case scalarField:
			return compare(NotEqual, of, Literal(OfBool(false))), nil
		case jsonField:
			return nil, unsupported(term, "is free JSON and stands for a condition; compare it")
		default:
			return Const(true), nil
		}
	default: // A list, a set or an object is there.
		return Const(true), nil
	}
}

// rule returns the condition that a rule or function of the residual is true; ok is false where there
// is none of the name, or it is a set.
func (t *translator) rule(ref ast.Ref, args []*ast.Term, s scope) (cond Cond, ok bool, err error) {
	name, ok := nameOf(ref)
	if !ok {
		return nil, false, nil
	}
	if t.holds[name] {
		return Const(true), true, nil
	}
	rules := t.rules[name]
	if len(rules) == 0 || rules[0].Head.RuleKind() == ast.MultiValue {
		return nil, false, nil
	}
	cond, err = anyOf(len(rules), func(i int) (Cond, error) {
		rule := rules[i]
		if rule.Else != nil || len(rule.Head.Args) != len(args) || !rule.Head.Ref().IsGround() {
			return nil, unsupported(rule.Head, "has an else, other arguments, or several values")
		}
		switch want := ast.Boolean(!rule.Default); {
		case rule.Head.Value.Value.Compare(want) != 0:
			return nil, unsupported(rule.Head, "has a value other than true, or other than false by default")
		case rule.Default:
			return Const(false), nil
		}
		inner := scope{slots: s.slots, from: s.from}
		var given And
		for i, arg := range args {
			parameter, ok := rule.Head.Args[i].Value.(ast.Var)
			if !ok {
				return nil, unsupported(rule.Head, "has a pattern among its parameters")
			}
			value, err := t.term(arg, s)
			if err != nil {
				return nil, err
			}
			inner = inner.bind(parameter, value)
			given = append(given, t.isThere(value))
		}
		holds, err := t.body(rule.Body, inner, func(scope) (Cond, error) { return Const(true), nil })
		return and(append(given, holds)), err
	})
	return cond, true, err
}

var orders = map[string]Op{
	"eq": Equal, "equal": Equal, "neq": NotEqual, "lt": Less, "lte": LessOrEqual, "gt": Greater, "gte": GreaterOrEqual,
}

var textTests = map[string]TextTest{"startswith": StartsWith, "endswith": EndsWith, "contains": Contains}

// call returns the condition that a call of a function gives true, or with one more argument than it
// has parameters, that it gives the last one.
func (t *translator) call(at interface{ String() string }, operator ast.Ref, args []*ast.Term, s scope) (Cond, error) {
	name := operator.String()
	if op, ok := orders[name]; ok && len(args) == 2 {
		return t.compare(at, op, args[0], args[1], s)
	}
	if cond, ok, err := t.rule(operator, args, s); ok {
		return cond, err
	}
	if builtin, ok := ast.BuiltinMap[name]; ok && len(args) == builtin.Decl.Arity()+1 {
		call := ast.CallTerm(append([]*ast.Term{ast.NewTerm(operator)}, args[:len(args)-1]...)...)
		return t.compare(at, Equal, call, args[len(args)-1], s)
	}
	switch {
	case name == "internal.member_2":
		return t.in(at, args[0], args[1], s)
	case strings.HasPrefix(name, "is_"):
		of, err := t.term(args[0], s)
		if free, ok := of.(JSON); ok && err == nil {
			return IsType{Type: strings.TrimPrefix(name, "is_"), Of: free}, nil
		}
		return nil, unsupported(at, "asks for the type of something that is not free JSON")
	}
	if test, ok := textTests[name]; ok {
		whole, err := t.text(args[0], s)
		if err != nil {
			return nil, err
		}
		part, err := t.text(args[1], s)
		return Text{Test: test, Whole: whole, Part: part}, err
	}
	return nil, unsupported(at, "calls %s", name)
}

// in returns the condition that a value is in a collection.
func (t *translator) in(at interface{ String() string }, value, collection *ast.Term, s scope) (Cond, error) {
	v, err := t.value(value, s)
	if err != nil {
		return nil, err
	}
	if call, ok := collection.Value.(ast.Call); ok && call[0].String() == "object.keys" {
		of, err := t.term(call[1], s)
		if err != nil {
			return nil, err
		}
		// Deeper inside, it need not be an object, and then the function fails.
		if free, ok := of.(JSON); ok && len(free.Keys) == 0 && t.fields.value(v) == textField {
			return HasKey{Key: v, Of: free}, nil
		}
		return nil, unsupported(at, "looks among the keys of something that is not sure to be an object of free JSON")
	}
	of, err := t.term(collection, s)
	if err != nil {
		return nil, err
	}
	if of, ok := asSet(of); ok {
		return t.member(v, of, s.slots)
	}
	return nil, unsupported(at, "looks for a value in something that is no set of names")
}

// compare returns the condition that two terms are in an order.
func (t *translator) compare(at interface{ String() string }, op Op, a, b *ast.Term, s scope) (Cond, error) {
	if n, ok := b.Value.(ast.Number); ok {
		if of, ok := counted(a); ok {
			return t.count(at, op, of, n, s)
		}
	}
	if n, ok := a.Value.(ast.Number); ok {
		if of, ok := counted(b); ok {
			return t.count(at, op.mirrored(), of, n, s)
		}
	}
	left, err := t.term(a, s)
	if err != nil {
		return nil, err
	}
	right, err := t.term(b, s)
	if err != nil {
		return nil, err
	}
	if l, ok := asSet(left); ok {
		if r, ok := asSet(right); ok && op <= NotEqual && t.comparable(l, r) {
			same, err := t.same(l, r, s.slots)
			if op == NotEqual {
				same = not(same)
			}
			return same, err
		}
		return nil, unsupported(at, "compares sets otherwise than by == and !=, or a set with an array")
	}
	l, ok := left.(Value)
	r, also := right.(Value)
	if !ok || !also {
		return nil, unsupported(at, "compares something that is neither a scalar nor a set of names")
	}
	if err := t.mayCompare(at, l, r); err != nil {
		return nil, err
	}
	return compare(op, l, r), nil
}

// edge is how far from the ends of 64 bits a literal must be that a difference is compared with.
const edge = 1 << 62

// isThere returns the condition that what a term stands for is not missing. Whatever reads a value that
// is missing fails as a whole.
func (t *translator) isThere(of thing) Cond {
	if free, ok := of.(JSON); ok && len(free.Keys) > 0 {
		return IsType{Type: "defined", Of: free}
	}
	return Const(true)
}

// mayCompare refuses to compare a difference with anything that it could reach by staying at the edge.
func (t *translator) mayCompare(at interface{ String() string }, values ...Value) error {
	for i, v := range values {
		if _, ok := v.(Minus); !ok {
			continue
		}
		if n, ok := values[1-i].(Literal); !ok || n.Kind != Int || n.Int <= -edge || n.Int >= edge {
			return unsupported(at, "compares a difference with something that is not a moderate number")
		}
	}
	return nil
}

// comparable reports whether two sets are of one type: an array never equals a set.
func (t *translator) comparable(a, b set) bool { return t.isArray(a) == t.isArray(b) }

func (t *translator) isArray(s set) bool {
	p, ok := s.(plain)
	if !ok || p.asSet {
		return false
	}
	field, ok := p.Names.(FieldNames)
	return !ok || !t.fields[field.Path].isSet
}
