package residual

import "fmt"

// scopes answers what conditions depend on.
type scopes shape

// of returns what a condition depends on, and whether it is closed: whether it reads no slot but those
// that it fills itself.
func (s scopes) of(c Cond) (scope Scope, closed bool) {
	w := scopeWalk{fields: s}
	w.cond(c, 0)
	return w.scope, !w.open
}

type scopeWalk struct {
	fields scopes
	scope  Scope
	open   bool
}

// cond walks a condition in which the slots from first on are not its own.
func (w *scopeWalk) cond(c Cond, own uint) {
	switch c := c.(type) {
	case Const:
	case And:
		for _, part := range c {
			w.cond(part, own)
		}
	case Or:
		for _, part := range c {
			w.cond(part, own)
		}
	case Not:
		w.cond(c.Of, own)
	case Compare:
		w.value(c.Left, own)
		w.value(c.Right, own)
	case Member:
		w.value(c.Value, own)
		w.many(c.Of, own)
	case Same:
		w.many(c.Left, own)
		w.many(c.Right, own)
	case Some:
		w.many(c.In, own)
		w.cond(c.Where, own|1<<c.Slot)
	case Count:
		w.many(c.Of, own)
	case Text:
		w.value(c.Whole, own)
		w.value(c.Part, own)
	case HasKey:
		w.value(c.Key, own)
		w.value(c.Of, own)
	case IsType:
		w.value(c.Of, own)
	default:
		panic(fmt.Sprintf("residual: no such condition: %T", c))
	}
}

func (w *scopeWalk) value(v Value, own uint) {
	switch v := v.(type) {
	case Literal:
	case Field:
		w.scope |= w.fields[v.Path].scope
	case Element:
		w.slot(v.Slot, own)
	case Each:
		w.slot(v.Slot, own)
	case Minus:
		w.value(v.Left, own)
		w.value(v.Right, own)
	case Changed:
		w.value(v.Of, own)
	case JSON:
		w.scope |= w.fields[v.Field].scope
	default:
		panic(fmt.Sprintf("residual: no such value: %T", v))
	}
}

func (w *scopeWalk) many(m Many, own uint) {
	switch m := m.(type) {
	case LiteralNames:
	case List:
		w.scope |= w.fields[m.Path].scope
	case FieldNames:
		w.scope |= w.fields[m.Path].scope
	case ElementNames:
		w.slot(m.Slot, own)
	default:
		panic(fmt.Sprintf("residual: no such set: %T", m))
	}
}

func (w *scopeWalk) slot(n int, own uint) {
	if own&(1<<n) == 0 {
		w.open = true
	}
}
