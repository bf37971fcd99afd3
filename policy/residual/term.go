package residual

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// value returns the scalar that a term stands for.
func (t *translator) value(term *ast.Term, s scope) (Value, error) {
	of, err := t.term(term, s)
	if err != nil {
		return nil, err
	}
	if v, ok := asValue(of); ok {
		return v, nil
	}
	return nil, unsupported(term, "is not a scalar")
}

// text returns the text that a term stands for.
func (t *translator) text(term *ast.Term, s scope) (Value, error) {
	v, err := t.value(term, s)
	if err != nil {
		return nil, err
	}
	if t.fields.value(v) != textField {
		return nil, unsupported(term, "is not sure to be a text")
	}
	return v, nil
}

// term returns what a term stands for, all of whose variables are bound.
func (t *translator) term(term *ast.Term, s scope) (thing, error) {
	switch v := term.Value.(type) {
	case ast.Null:
		return Literal{}, nil
	case ast.Boolean:
		return Literal(OfBool(bool(v))), nil
	case ast.String:
		return Literal(OfText(string(v))), nil
	case ast.Number:
		n, ok := v.Int64()
		if !ok {
			return nil, unsupported(term, "is not a whole number of 64 bits")
		}
		return Literal(OfInt(n)), nil
	case ast.Var:
		of, ok := s.vars[v]
		if !ok {
			return nil, unsupported(term, "stands for nothing")
		}
		if _, ok := of.(position); ok {
			return nil, unsupported(term, "is a position in an array and is used as a number")
		}
		return of, nil
	case ast.Ref:
		return t.ref(v, s)
	case ast.Set:
		return t.literalSet(v.Slice(), true, s)
	case *ast.Array:
		elements := make([]*ast.Term, 0, v.Len())
		v.Foreach(func(e *ast.Term) { elements = append(elements, e) })
		return t.literalSet(elements, false, s)
	case *ast.SetComprehension:
		return t.comprehension(v, s)
	case ast.Call:
		return t.function(term, v, s)
	default:
		return nil, unsupported(term, "is of a kind that is not known here")
	}
}

// literalSet returns the set of some terms. As an array it is good for membership alone.
func (t *translator) literalSet(elements []*ast.Term, isSet bool, s scope) (thing, error) {
	var names []string
	var values made
	for _, element := range elements {
		v, err := t.value(element, s)
		if err != nil {
			return nil, err
		}
		if t.fields.value(v) == jsonField {
			return nil, unsupported(element, "may be missing, and the set with it")
		}
		values = append(values, v)
		if l, ok := v.(Literal); ok && l.Kind == String {
			names = append(names, l.Text)
		}
	}
	switch {
	case len(names) == len(values):
		slices.Sort(names)
		return plain{Names: LiteralNames(slices.Compact(names)), asSet: isSet}, nil
	case isSet:
		return values, nil
	default:
		return nil, unsupported(ast.NewTerm(ast.NewArray(elements...)), "is an array of more than literals")
	}
}

// comprehension returns the set that a comprehension gathers.
func (t *translator) comprehension(c *ast.SetComprehension, s scope) (thing, error) {
	if !t.plainJSON && t.readsJSON(c) {
		return nil, unsupported(c, "reads free JSON; that it is missing can mean either")
	}
	if of, ok := t.copied(c, s); ok {
		return plain{Names: of, asSet: true}, nil
	}
	return gathered{{body: c.Body, key: c.Term, in: s}}, nil
}

// copied returns the names that a comprehension makes a set of as they are: {x | x = names[_]}.
func (t *translator) copied(c *ast.SetComprehension, s scope) (Names, bool) {
	key, ok := c.Term.Value.(ast.Var)
	if _, bound := s.vars[key]; !ok || bound || len(c.Body) != 1 || !c.Body[0].IsEquality() || c.Body[0].Negated {
		return nil, false
	}
	for _, sides := range [][2]int{{0, 1}, {1, 0}} {
		v, _ := c.Body[0].Operand(sides[0]).Value.(ast.Var)
		ref, ok := c.Body[0].Operand(sides[1]).Value.(ast.Ref)
		if v != key || !ok || len(ref) < 2 {
			continue
		}
		index, ok := ref[len(ref)-1].Value.(ast.Var)
		if _, bound := s.vars[index]; !ok || bound || index == key {
			continue
		}
		prefix := ref[:len(ref)-1]
		if !ready(prefix, s, nil) {
			continue
		}
		of, err := t.term(ast.NewTerm(prefix), s)
		if p, ok := of.(plain); ok && err == nil {
			return p.Names, true
		}
	}
	return nil, false
}

var textFunctions = map[string]TextFunction{
	"lower": Lower, "upper": Upper, "trim_prefix": TrimPrefix, "trim_suffix": TrimSuffix,
}

// function returns what a function gives that is more than true or false.
func (t *translator) function(at *ast.Term, call ast.Call, s scope) (thing, error) {
	name := call[0].String()
	if f, ok := textFunctions[name]; ok {
		of, err := t.text(call[1], s)
		if err != nil {
			return nil, err
		}
		changed := Changed{Function: f, Of: of}
		if len(call) == 3 {
			by, ok := call[2].Value.(ast.String)
			if !ok {
				return nil, unsupported(at, "changes a text by something that is not a literal")
			}
			changed.By = string(by)
		}
		return changed, nil
	}
	switch name {
	case "minus", "and", "or":
	default:
		return nil, unsupported(at, "calls %s", name)
	}
	left, err := t.term(call[1], s)
	if err != nil {
		return nil, err
	}
	right, err := t.term(call[2], s)
	if err != nil {
		return nil, err
	}
	a, ok := asSet(left)
	b, also := asSet(right)
	switch {
	case ok && also && (t.isArray(a) || t.isArray(b)):
		return nil, unsupported(at, "takes an array for a set")
	case ok && also && name == "minus" && isEmpty(b):
		return a, nil
	case ok && also && name == "minus":
		return without{a, b}, nil
	case ok && also && name == "and":
		return both{a, b}, nil
	case ok && also:
		return either{a, b}, nil
	}
	l, ok := asValue(left)
	r, also := asValue(right)
	if _, nested := l.(Minus); nested {
		return nil, unsupported(at, "takes a number from a difference, which may lie beyond 64 bits")
	}
	if _, nested := r.(Minus); nested {
		return nil, unsupported(at, "takes a difference from a number, and it may lie beyond 64 bits")
	}
	if name == "minus" && ok && also && t.fields.value(l) == intField && t.fields.value(r) == intField {
		return Minus{Left: l, Right: r}, nil
	}
	return nil, unsupported(at, "calculates with something that is neither a number nor a set of names")
}

func asValue(of thing) (Value, bool) {
	switch of := of.(type) {
	case Literal, Field, Element, Each, Minus, Changed, JSON:
		return of.(Value), true
	default:
		return nil, false
	}
}

func asSet(of thing) (set, bool) {
	switch of.(type) {
	case plain, made, gathered, without, both, either:
		return of, true
	default:
		return nil, false
	}
}
