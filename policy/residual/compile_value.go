package residual

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

func (c *compiler[F]) kind(v Value) fieldKind { return shape(c.scopes).value(v) }

func (c *compiler[F]) compare(cond Compare) test[F] {
	left, right := c.kind(cond.Left), c.kind(cond.Right)
	switch {
	case left == jsonField || right == jsonField:
		return c.compareJSON(cond)
	case left == textField && right == textField:
		return c.compareTexts(cond)
	case left == intField && right == intField:
		a, b, op := c.int(cond.Left), c.int(cond.Right), cond.Op
		return func(s *State[F]) bool { return op.holds(cmpInt(a(s), b(s))) }
	case left == boolField && right == boolField && cond.Op == Equal:
		if field, ok := cond.Left.(Field); ok {
			get := c.schema[field.Path].Bool
			if l, ok := cond.Right.(Literal); ok {
				want := l.Int != 0
				return func(s *State[F]) bool { return get(&s.Fields) == want }
			}
		}
	}
	a, b, op := c.scalar(cond.Left), c.scalar(cond.Right), cond.Op
	if op == Equal {
		return func(s *State[F]) bool { return a(s) == b(s) }
	}
	return func(s *State[F]) bool { return op.holds(a(s).Compare(b(s))) }
}

func (c *compiler[F]) compareTexts(cond Compare) test[F] {
	a, op := c.text(cond.Left), cond.Op
	l, literal := cond.Right.(Literal)
	if field, ok := cond.Left.(Field); ok && literal {
		get, want := c.schema[field.Path].Text, l.Text
		switch op {
		case Equal:
			return func(s *State[F]) bool { return get(&s.Fields) == want }
		case NotEqual:
			return func(s *State[F]) bool { return get(&s.Fields) != want }
		}
	}
	b := c.text(cond.Right)
	switch op {
	case Equal:
		return func(s *State[F]) bool { return a(s) == b(s) }
	case NotEqual:
		return func(s *State[F]) bool { return a(s) != b(s) }
	default:
		return func(s *State[F]) bool { return op.holds(strings.Compare(a(s), b(s))) }
	}
}

func (c *compiler[F]) text(v Value) func(*State[F]) string {
	switch v := v.(type) {
	case Literal:
		return func(*State[F]) string { return v.Text }
	case Field:
		get := c.schema[v.Path].Text
		return func(s *State[F]) string { return get(&s.Fields) }
	case Element:
		get := c.schema[v.List].Elements[v.Path].Text
		return func(s *State[F]) string { return get(&s.Fields, s.index[v.Slot]) }
	case Each:
		return func(s *State[F]) string { return s.name[v.Slot] }
	case Changed:
		of := c.text(v.Of)
		switch by := v.By; v.Function {
		case Lower:
			return func(s *State[F]) string { return strings.ToLower(of(s)) }
		case Upper:
			return func(s *State[F]) string { return strings.ToUpper(of(s)) }
		case TrimPrefix:
			return func(s *State[F]) string { return strings.TrimPrefix(of(s), by) }
		default:
			return func(s *State[F]) string { return strings.TrimSuffix(of(s), by) }
		}
	default:
		panic(fmt.Sprintf("residual: no text: %T", v))
	}
}

func (c *compiler[F]) int(v Value) func(*State[F]) int64 {
	switch v := v.(type) {
	case Literal:
		return func(*State[F]) int64 { return v.Int }
	case Field:
		get := c.schema[v.Path].Int
		return func(s *State[F]) int64 { return get(&s.Fields) }
	case Element:
		get := c.schema[v.List].Elements[v.Path].Int
		return func(s *State[F]) int64 { return get(&s.Fields, s.index[v.Slot]) }
	case Minus:
		a, b := c.int(v.Left), c.int(v.Right)
		return func(s *State[F]) int64 { return minus(a(s), b(s)) }
	default:
		panic(fmt.Sprintf("residual: no number: %T", v))
	}
}

// minus returns a-b, or the edge of 64 bits beyond which it lies.
func minus(a, b int64) int64 {
	d := a - b
	switch {
	case b > 0 && d > a:
		return math.MinInt64
	case b < 0 && d < a:
		return math.MaxInt64
	default:
		return d
	}
}

func (c *compiler[F]) scalar(v Value) func(*State[F]) Scalar {
	switch c.kind(v) {
	case textField:
		get := c.text(v)
		return func(s *State[F]) Scalar { return OfText(get(s)) }
	case intField:
		get := c.int(v)
		return func(s *State[F]) Scalar { return OfInt(get(s)) }
	}
	switch v := v.(type) {
	case Literal:
		return func(*State[F]) Scalar { return Scalar(v) }
	case Field:
		a := c.schema[v.Path]
		if get := a.Bool; get != nil {
			return func(s *State[F]) Scalar { return OfBool(get(&s.Fields)) }
		}
		get := a.Scalar
		return func(s *State[F]) Scalar { return get(&s.Fields) }
	case Element:
		a := c.schema[v.List].Elements[v.Path]
		if get := a.Bool; get != nil {
			return func(s *State[F]) Scalar { return OfBool(get(&s.Fields, s.index[v.Slot])) }
		}
		get := a.Scalar
		return func(s *State[F]) Scalar { return get(&s.Fields, s.index[v.Slot]) }
	default:
		panic(fmt.Sprintf("residual: no scalar: %T", v))
	}
}

func (c *compiler[F]) names(n Names) func(*State[F]) []string {
	switch n := n.(type) {
	case LiteralNames:
		return func(*State[F]) []string { return n }
	case FieldNames:
		get := c.schema[n.Path].Names
		return func(s *State[F]) []string { return get(&s.Fields) }
	case ElementNames:
		get := c.schema[n.List].Elements[n.Path].Names
		return func(s *State[F]) []string { return get(&s.Fields, s.index[n.Slot]) }
	default:
		panic(fmt.Sprintf("residual: no names: %T", n))
	}
}

func (c *compiler[F]) size(m Many) func(*State[F]) int {
	if list, ok := m.(List); ok {
		get := c.schema[list.Path].Len
		return func(s *State[F]) int { return get(&s.Fields) }
	}
	names := c.names(m.(Names))
	return func(s *State[F]) int { return len(names(s)) }
}

func (c *compiler[F]) member(cond Member) test[F] {
	value := c.text(cond.Value)
	if literal, ok := cond.Of.(LiteralNames); ok && len(literal) <= 4 {
		return func(s *State[F]) bool { return slices.Contains(literal, value(s)) }
	}
	names := c.names(cond.Of)
	return func(s *State[F]) bool {
		_, found := slices.BinarySearchFunc(names(s), value(s), strings.Compare)
		return found
	}
}

func (c *compiler[F]) textTest(cond Text) test[F] {
	whole, part := c.text(cond.Whole), c.text(cond.Part)
	switch cond.Test {
	case StartsWith:
		return func(s *State[F]) bool { return strings.HasPrefix(whole(s), part(s)) }
	case EndsWith:
		return func(s *State[F]) bool { return strings.HasSuffix(whole(s), part(s)) }
	default:
		return func(s *State[F]) bool { return strings.Contains(whole(s), part(s)) }
	}
}

// json returns a value of free JSON; nil where it is missing.
func (c *compiler[F]) json(v JSON) func(*State[F]) ast.Value {
	get := c.schema[v.Field].JSON
	path := make(ast.Ref, len(v.Keys))
	for i, key := range v.Keys {
		path[i] = ast.StringTerm(key)
	}
	return func(s *State[F]) ast.Value {
		found, err := get(&s.Fields).Find(path)
		if err != nil {
			return nil
		}
		return found
	}
}

// compareJSON compares by OPA's own order, and holds nowhere where a value is missing.
func (c *compiler[F]) compareJSON(cond Compare) test[F] {
	left, right, op := c.free(cond.Left), c.free(cond.Right), cond.Op
	return func(s *State[F]) bool {
		a, b := left(s), right(s)
		return a != nil && b != nil && op.holds(ast.Compare(a, b))
	}
}

func (c *compiler[F]) free(v Value) func(*State[F]) ast.Value {
	if v, ok := v.(JSON); ok {
		return c.json(v)
	}
	get := c.scalar(v)
	return func(s *State[F]) ast.Value {
		switch of := get(s); of.Kind {
		case Bool:
			return ast.Boolean(of.Int != 0)
		case Int:
			return ast.Number(fmt.Sprint(of.Int))
		case String:
			return ast.String(of.Text)
		default:
			return ast.Null{}
		}
	}
}

func (c *compiler[F]) hasKey(cond HasKey) test[F] {
	of, key := c.json(cond.Of), c.text(cond.Key)
	return func(s *State[F]) bool {
		object, ok := of(s).(ast.Object)
		return ok && object.Len() > 0 && object.Get(ast.StringTerm(key(s))) != nil
	}
}

func (c *compiler[F]) isType(cond IsType) test[F] {
	of, want := c.json(cond.Of), cond.Type
	return func(s *State[F]) bool {
		v := of(s)
		return v != nil && (want == "defined" || ast.ValueName(v) == want)
	}
}
