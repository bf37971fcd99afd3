package residual

import (
	"cmp"
	"strconv"
	"strings"
)

// Kind is the type of a scalar. Kinds are in OPA's order of types.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Int
	String
)

// Scalar is one value of a field that can have several kinds, or a constant. It can be compared
// with ==.
type Scalar struct {
	Kind Kind
	Int  int64 // of Int; of Bool, 0 or 1
	Text string
}

// OfBool returns the scalar of b.
func OfBool(b bool) Scalar {
	if b {
		return Scalar{Kind: Bool, Int: 1}
	}
	return Scalar{Kind: Bool}
}

// OfInt returns the scalar of n.
func OfInt(n int64) Scalar { return Scalar{Kind: Int, Int: n} }

// OfText returns the scalar of s.
func OfText(s string) Scalar { return Scalar{Kind: String, Text: s} }

// Compare orders two scalars as OPA does: by type, then by value.
func (a Scalar) Compare(b Scalar) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Int, b.Int), strings.Compare(a.Text, b.Text))
}

// String writes the scalar as Rego does.
func (a Scalar) String() string {
	switch a.Kind {
	case Bool:
		return strconv.FormatBool(a.Int != 0)
	case Int:
		return strconv.FormatInt(a.Int, 10)
	case String:
		return strconv.Quote(a.Text)
	default:
		return "null"
	}
}

// holds reports whether an outcome of Compare is in the order.
func (o Op) holds(compared int) bool {
	switch o {
	case Equal:
		return compared == 0
	case NotEqual:
		return compared != 0
	case Less:
		return compared < 0
	case LessOrEqual:
		return compared <= 0
	case Greater:
		return compared > 0
	default:
		return compared >= 0
	}
}

// mirrored returns the order of b and a, where o is that of a and b.
func (o Op) mirrored() Op {
	return [...]Op{Equal, NotEqual, Greater, GreaterOrEqual, Less, LessOrEqual}[o]
}
