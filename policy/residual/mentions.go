package residual

import "slices"

// Mentions are the constants that a policy holds something against, by the path of the field. A field
// of an object in a list has the list's path in front of it; a value inside of free JSON has the names
// that lead to it behind it.
type Mentions map[string][]Scalar

// MentionsOf gathers the constants of some rules. Tests of a policy aim at them.
func MentionsOf(sets ...[]Rule) Mentions {
	m := Mentions{}
	for _, rules := range sets {
		for _, rule := range rules {
			m.cond(rule.When)
		}
	}
	return m
}

func (m Mentions) cond(c Cond) {
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
		m.cond(c.Where)
	case Compare:
		m.pair(c.Left, c.Right)
		m.pair(c.Right, c.Left)
	case Member:
		if names, ok := c.Of.(LiteralNames); ok {
			for _, name := range names {
				m.add(c.Value, OfText(name))
			}
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

func (m Mentions) pair(v, other Value) {
	if literal, ok := other.(Literal); ok {
		m.add(v, Scalar(literal))
	} else {
		m.add(v)
	}
}

func (m Mentions) add(v Value, constants ...Scalar) {
	switch v := v.(type) {
	case Field:
		m.at(v.Path, constants)
	case Element:
		m.at(v.List+"."+v.Path, constants)
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

func (m Mentions) at(path string, constants []Scalar) {
	known := m[path]
	for _, constant := range constants {
		if !slices.Contains(known, constant) {
			known = append(known, constant)
		}
	}
	m[path] = known
}
