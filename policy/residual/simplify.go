package residual

// and returns the condition that all parts hold, without those that always do.
func and(parts And) Cond {
	var out And
	for _, part := range parts {
		switch part := part.(type) {
		case And:
			out = append(out, part...)
		case Const:
			if !part {
				return part
			}
		default:
			out = append(out, part)
		}
	}
	switch len(out) {
	case 0:
		return Const(true)
	case 1:
		return out[0]
	default:
		return out
	}
}

// anyOf returns the condition that one of n parts holds.
func anyOf(n int, part func(i int) (Cond, error)) (Cond, error) {
	var out Or
	for i := range n {
		cond, err := part(i)
		if err != nil {
			return nil, err
		}
		switch cond := cond.(type) {
		case Or:
			out = append(out, cond...)
		case Const:
			if cond {
				return cond, nil
			}
		default:
			out = append(out, cond)
		}
	}
	switch len(out) {
	case 0:
		return Const(false), nil
	case 1:
		return out[0], nil
	default:
		return out, nil
	}
}

// not returns the condition that c does not hold.
func not(c Cond) Cond {
	switch c := c.(type) {
	case Const:
		return !c
	case Not:
		return c.Of
	default:
		return Not{Of: c}
	}
}

// some returns the condition that where holds for an element of a set.
func some(slot int, in Many, where Cond) Cond {
	switch where {
	case Const(false):
		return where
	case Const(true):
		return Count{Op: Greater, Of: in, N: 0}
	default:
		return Some{Slot: slot, In: in, Where: where}
	}
}

// compare returns the comparison of two values, decided where both are literals.
func compare(op Op, a, b Value) Cond {
	left, ok := a.(Literal)
	right, also := b.(Literal)
	if ok && also {
		return Const(op.holds(Scalar(left).Compare(Scalar(right))))
	}
	if ok { // The literal stands on the right, so that equal conditions look equal.
		return Compare{Op: op.mirrored(), Left: b, Right: a}
	}
	return Compare{Op: op, Left: a, Right: b}
}
