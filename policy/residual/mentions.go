package residual

import "slices"

// Mentions are the constants that a policy holds something against, by the path of the field. A field
// of an object in a list has the list's path in front of it; a value inside of free JSON has the names
// that lead to it behind it.
type Mentions map[string][]Scalar

// MentionsOf gathers the constants of some rules. Tests of a policy aim at them.
func MentionsOf(sets ...[]Rule) Mentions {
	m := mentioning{Mentions: Mentions{}}
	for _, rules := range sets {
		for _, rule := range rules {
			m.cond(rule.When)
		}
	}
	return m.Mentions
}

// mentioning is a walk through a condition.
type mentioning struct {
	Mentions
	from [maxSlots]string // by slot, the path of what its element is of
}

// pathOf returns the path of a list or a set; empty for a constant.
func pathOf(of Many) string {
	switch of := of.(type) {
	case List:
		return of.Path
	case FieldNames:
		return of.Path
	case ElementNames:
		return of.List + "." + of.Path
	default:
		return ""
	}
}

func (m *mentioning) names(of, constants Many) {
	if literal, ok := constants.(LiteralNames); ok {
		for _, name := range literal {
			m.at(pathOf(of), []Scalar{OfText(name)})
		}
	}
}

func (m *mentioning) cond(c Cond) {
	switch c := c.(type) {
	case And:
		for _, part := range c {
			m.cond(part)
		}
	case Or:
		for _, part := range c {
			m.cond(part)
		}
	case Not:
		m.cond(c.Of)
	case Some:
		m.from[c.Slot] = pathOf(c.In)
		m.cond(c.Where)
	case Same:
		m.names(c.Left, c.Right)
		m.names(c.Right, c.Left)
	case Compare:
		m.pair(c.Left, c.Right)
		m.pair(c.Right, c.Left)
	case Member:
		if names, ok := c.Of.(LiteralNames); ok {
			for _, name := range names {
				m.add(c.Value, OfText(name))
			}
		} else if literal, ok := c.Value.(Literal); ok {
			m.at(pathOf(c.Of), []Scalar{Scalar(literal)})
		}
	case Text:
		m.pair(c.Whole, c.Part)
	case HasKey:
		if key, ok := c.Key.(Literal); ok {
			m.add(JSON{Field: c.Of.Field, Keys: append(slices.Clone(c.Of.Keys), key.Text)}, Scalar{})
		}
	case IsType:
		m.add(c.Of, Scalar{})
	}
}

func (m *mentioning) pair(v, other Value) {
	if literal, ok := other.(Literal); ok {
		m.add(v, Scalar(literal))
	} else {
		m.add(v)
	}
}

func (m *mentioning) add(v Value, constants ...Scalar) {
	switch v := v.(type) {
	case Field:
		m.at(v.Path, constants)
	case Element:
		m.at(v.List+"."+v.Path, constants)
	case Each:
		m.at(m.from[v.Slot], constants)
	case Changed:
		m.add(v.Of, constants...)
	case Minus:
		m.add(v.Left, constants...)
		m.add(v.Right, constants...)
	case JSON:
		path := v.Field
		for _, key := range v.Keys {
			path += "." + key
		}
		m.at(path, constants)
	}
}

func (m *mentioning) at(path string, constants []Scalar) {
	if path == "" {
		return
	}
	known := m.Mentions[path]
	for _, constant := range constants {
		if !slices.Contains(known, constant) {
			known = append(known, constant)
		}
	}
	m.Mentions[path] = known
}
