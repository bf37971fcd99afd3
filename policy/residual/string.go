package residual

import (
	"fmt"
	"strconv"
	"strings"
)

// The forms below are for people and tests. Equal trees have equal forms, which is how conditions
// that a policy states several times are found.

var opNames = [...]string{"==", "!=", "<", "<=", ">", ">="}

func (o Op) String() string { return opNames[o] }

func (t TextTest) String() string { return [...]string{"startswith", "endswith", "contains"}[t] }

func (f TextFunction) String() string {
	return [...]string{"lower", "upper", "trim_prefix", "trim_suffix"}[f]
}

func (c Const) String() string { return strconv.FormatBool(bool(c)) }

func (c And) String() string { return join("and", c) }

func (c Or) String() string { return join("or", c) }

func join(word string, parts []Cond) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.String()
	}
	return word + "(" + strings.Join(texts, ", ") + ")"
}

func (c Not) String() string { return "not(" + c.Of.String() + ")" }

func (c Compare) String() string { return fmt.Sprintf("%s %s %s", c.Left, c.Op, c.Right) }

func (c Member) String() string { return fmt.Sprintf("%s in %s", c.Value, c.Of) }

func (c Same) String() string { return fmt.Sprintf("same(%s, %s)", c.Left, c.Right) }

func (c Some) String() string { return fmt.Sprintf("some(%s in %s: %s)", slot(c.Slot), c.In, c.Where) }

func (c Count) String() string { return fmt.Sprintf("count(%s) %s %d", c.Of, c.Op, c.N) }

func (c Text) String() string { return fmt.Sprintf("%s(%s, %s)", c.Test, c.Whole, c.Part) }

func (c HasKey) String() string { return fmt.Sprintf("haskey(%s, %s)", c.Of, c.Key) }

func (c IsType) String() string { return fmt.Sprintf("is_%s(%s)", c.Type, c.Of) }

func (v Literal) String() string { return Scalar(v).String() }

func (v Field) String() string { return v.Path }

func (v Element) String() string { return slot(v.Slot) + "." + v.Path }

func (v Each) String() string { return slot(v.Slot) }

func (v Minus) String() string { return fmt.Sprintf("(%s - %s)", v.Left, v.Right) }

func (v Changed) String() string { return fmt.Sprintf("%s(%s, %q)", v.Function, v.Of, v.By) }

func (v JSON) String() string { return v.Field + fmt.Sprintf("%q", v.Keys) }

func (l List) String() string { return l.Path }

func (n LiteralNames) String() string { return fmt.Sprintf("%q", []string(n)) }

func (n FieldNames) String() string { return n.Path }

func (n ElementNames) String() string { return slot(n.Slot) + "." + n.Path }

func slot(n int) string { return "$" + strconv.Itoa(n) }
