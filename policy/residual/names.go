package residual

import "github.com/open-policy-agent/opa/v1/ast"

// set is a set of names as a policy writes it. Conditions on it are resolved into conditions on the
// sets that a field or a literal holds.
type set interface{}

type (
	// plain is a set or an array that is there. AsSet says that the policy made a set of it.
	plain struct {
		Names
		asSet bool
	}

	// made is a set of some values.
	made []Value

	// gathered is what rules or a comprehension put together.
	gathered []gathering

	without struct{ left, right set }
	both    struct{ left, right set }
	either  struct{ left, right set }
)

// gathering adds key for every way in which body holds.
type gathering struct {
	body ast.Body
	key  *ast.Term
	in   scope
}

// each returns the condition that do holds for some name of a set. Slots from slots on are free.
func (t *translator) each(of set, slots int, do func(slots int, name Value) (Cond, error)) (Cond, error) {
	switch of := of.(type) {
	case plain:
		if slots == maxSlots {
			return nil, unsupported(of, "is gone over inside of too many others")
		}
		where, err := do(slots+1, Each{Slot: slots})
		return some(slots, of.Names, where), err
	case made:
		return anyOf(len(of), func(i int) (Cond, error) { return do(slots, of[i]) })
	case gathered:
		return anyOf(len(of), func(i int) (Cond, error) {
			in := of[i].in
			in.slots = max(in.slots, slots)
			return t.body(of[i].body, in, func(inner scope) (Cond, error) {
				key, err := t.value(of[i].key, inner)
				if err != nil {
					return nil, err
				}
				last, err := do(inner.slots, key)
				return and(And{t.isThere(key), last}), err
			})
		})
	case without:
		return t.each(of.left, slots, func(slots int, name Value) (Cond, error) {
			out, err := t.member(name, of.right, slots)
			if err != nil {
				return nil, err
			}
			last, err := do(slots, name)
			return and(And{not(out), last}), err
		})
	case both:
		return t.each(of.left, slots, func(slots int, name Value) (Cond, error) {
			in, err := t.member(name, of.right, slots)
			if err != nil {
				return nil, err
			}
			last, err := do(slots, name)
			return and(And{in, last}), err
		})
	case either:
		sides := []set{of.left, of.right}
		return anyOf(2, func(i int) (Cond, error) { return t.each(sides[i], slots, do) })
	default:
		return nil, unsupported(text("a set"), "is of a kind that cannot be gone over")
	}
}

// member returns the condition that a value is in a set.
func (t *translator) member(v Value, of set, slots int) (Cond, error) {
	switch of := of.(type) {
	case plain:
		if t.fields.value(v) != textField {
			return nil, unsupported(v, "is not a text, and is looked for among names")
		}
		return Member{Value: v, Of: of.Names}, nil
	case made:
		return anyOf(len(of), func(i int) (Cond, error) { return t.equal(v, of[i]) })
	case without:
		left, err := t.member(v, of.left, slots)
		if err != nil {
			return nil, err
		}
		right, err := t.member(v, of.right, slots)
		return and(And{left, not(right)}), err
	case both:
		left, err := t.member(v, of.left, slots)
		if err != nil {
			return nil, err
		}
		right, err := t.member(v, of.right, slots)
		return and(And{left, right}), err
	case either:
		sides := []set{of.left, of.right}
		return anyOf(2, func(i int) (Cond, error) { return t.member(v, sides[i], slots) })
	default:
		return t.each(of, slots, func(_ int, name Value) (Cond, error) { return t.equal(name, v) })
	}
}

func (t *translator) equal(a, b Value) (Cond, error) {
	return compare(Equal, a, b), t.mayCompare(a, a, b)
}

// same returns the condition that two sets have the same names.
func (t *translator) same(a, b set, slots int) (Cond, error) {
	left, ok := a.(plain)
	right, also := b.(plain)
	if ok && also {
		return Same{Left: left.Names, Right: right.Names}, nil
	}
	more, err := t.leavesOut(a, b, slots)
	if err != nil {
		return nil, err
	}
	less, err := t.leavesOut(b, a, slots)
	return and(And{not(more), not(less)}), err
}

// leavesOut returns the condition that a name of a is not in b.
func (t *translator) leavesOut(a, b set, slots int) (Cond, error) {
	return t.each(a, slots, func(slots int, name Value) (Cond, error) {
		in, err := t.member(name, b, slots)
		return not(in), err
	})
}

// isEmpty reports whether a set is the empty literal.
func isEmpty(s set) bool {
	p, ok := s.(plain)
	if !ok {
		return false
	}
	l, ok := p.Names.(LiteralNames)
	return ok && len(l) == 0
}
