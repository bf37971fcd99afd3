package residual

import "github.com/open-policy-agent/opa/v1/ast"

// ref returns what a reference leads to.
func (t *translator) ref(ref ast.Ref, s scope) (thing, error) {
	of, rest, err := t.root(ref, s)
	if err != nil {
		return nil, err
	}
	for len(rest) > 0 {
		if of, rest, err = t.step(ref, of, rest, s); err != nil {
			return nil, err
		}
	}
	return of, nil
}

// root returns what the longest prefix of a reference leads to that has a name of its own.
func (t *translator) root(ref ast.Ref, s scope) (thing, ast.Ref, error) {
	head := ref[0].Value.(ast.Var)
	if of, bound := s.vars[head]; bound {
		return of, ref[1:], nil
	}
	path := string(head)
	for i := 1; ; i++ {
		if field, ok := t.fields[path]; ok {
			return t.field(path, field), ref[i:], nil
		}
		if rules := t.rules[path]; len(rules) > 0 {
			of, err := t.gatheredBy(ref, rules)
			return of, ref[i:], err
		}
		if i == len(ref) {
			return nil, nil, unsupported(ref, "is not a field that can be read here")
		}
		step, ok := ref[i].Value.(ast.String)
		if !ok {
			return nil, nil, unsupported(ref, "is not a field that can be read here")
		}
		path += "." + string(step)
	}
}

func (t *translator) field(path string, f fieldShape) thing {
	switch f.kind {
	case listField:
		return List{Path: path}
	case namesField:
		return plain{Names: FieldNames{Path: path}}
	case jsonField:
		return JSON{Field: path}
	default:
		return Field{Path: path}
	}
}

// gatheredBy returns the set that rules put together.
func (t *translator) gatheredBy(ref ast.Ref, rules []*ast.Rule) (thing, error) {
	var out gathered
	for _, rule := range rules {
		if !addsToSet(rule) {
			return nil, unsupported(ref, "is a rule whose value is used, and it is no set")
		}
		out = append(out, gathering{body: rule.Body, key: rule.Head.Key})
	}
	return out, nil
}

// step goes one step further into a thing.
func (t *translator) step(ref ast.Ref, of thing, rest ast.Ref, s scope) (thing, ast.Ref, error) {
	switch of := of.(type) {
	case List:
		if at, ok := t.position(rest[0], of, s); ok {
			return object{slot: at.slot, list: of.Path}, rest[1:], nil
		}
	case plain:
		if at, ok := t.position(rest[0], of.Names, s); ok {
			return Each{Slot: at.slot}, rest[1:], nil
		}
		if v, ok := rest[0].Value.(ast.Var); ok && !t.isArray(of) {
			// In a set, what stands in the brackets is the element itself.
			if each, ok := s.vars[v].(Each); ok && s.from[each.Slot] == of.String() {
				return each, rest[1:], nil
			}
		}
	case object:
		return t.element(ref, of, rest)
	case JSON:
		key, ok := rest[0].Value.(ast.String)
		if ok {
			return JSON{Field: of.Field, Keys: append(of.Keys[:len(of.Keys):len(of.Keys)], string(key))}, rest[1:], nil
		}
	}
	return nil, nil, unsupported(ref, "has a step that cannot be followed")
}

// position returns where in an array a term points, if it does.
func (t *translator) position(term *ast.Term, array Many, s scope) (position, bool) {
	v, ok := term.Value.(ast.Var)
	if !ok {
		return position{}, false
	}
	at, ok := s.vars[v].(position)
	return at, ok && at.array == array.String()
}

// element returns the field of an object that the longest prefix of the steps names.
func (t *translator) element(ref ast.Ref, of object, rest ast.Ref) (thing, ast.Ref, error) {
	path := ""
	for i, term := range rest {
		step, ok := term.Value.(ast.String)
		if !ok {
			break
		}
		if path != "" {
			path += "."
		}
		path += string(step)
		switch t.fields[of.list].elements[path] {
		case noField:
		case namesField:
			return plain{Names: ElementNames{Slot: of.slot, List: of.list, Path: path}}, rest[i+1:], nil
		default:
			return Element{Slot: of.slot, List: of.list, Path: path}, rest[i+1:], nil
		}
	}
	return nil, nil, unsupported(ref, "is not a field that can be read here")
}
