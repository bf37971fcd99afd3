package residual

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Unsupported says that a construct is outside of the fragment.
type Unsupported struct {
	// Construct is the construct as it stands in the residual.
	Construct string

	// Problem is a sentence fragment.
	Problem string
}

// Error names the construct.
func (e *Unsupported) Error() string { return fmt.Sprintf("%s: %s", e.Construct, e.Problem) }

func unsupported(construct fmt.Stringer, format string, args ...any) error {
	return &Unsupported{Construct: construct.String(), Problem: fmt.Sprintf(format, args...)}
}

// text makes a message of something that is not a construct of its own.
type text string

func (t text) String() string { return string(t) }

// nameOf returns a ref as the path of a rule or a field, and false where it has more than names.
func nameOf(ref ast.Ref) (string, bool) {
	head, ok := ref[0].Value.(ast.Var)
	if !ok {
		return "", false
	}
	name := string(head)
	for _, term := range ref[1:] {
		step, ok := term.Value.(ast.String)
		if !ok {
			return "", false
		}
		name += "." + string(step)
	}
	return name, true
}
