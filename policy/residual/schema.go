package residual

import "github.com/open-policy-agent/opa/v1/ast"

// Scope says what a field belongs to, and so how often a condition on it must be looked at.
type Scope uint8

// The scopes. Those of the parts of a condition are joined by "or".
const (
	Turn      Scope = 1 << iota // known once for all candidates of a request
	Candidate                   // of one candidate
)

// Schema says where the fields of an input are found in a Go value of type F. A path is as in Rego,
// such as input.candidate.agent. A field of the input that is not in it is outside of the fragment.
type Schema[F any] map[string]Accessor[F]

// Accessor reads one field. Exactly one of its functions is set.
type Accessor[F any] struct {
	Scope Scope

	Text   func(*F) string
	Int    func(*F) int64
	Bool   func(*F) bool
	Scalar func(*F) Scalar // may be null

	// Names returns names that are sorted and distinct. IsSet says that they are a set in Rego, and
	// not an array.
	Names func(*F) []string
	IsSet bool

	// Len returns the length of a list of objects, whose fields are Elements.
	Len      func(*F) int
	Elements map[string]ElementAccessor[F]

	// JSON returns a JSON object.
	JSON func(*F) ast.Value
}

// ElementAccessor reads one field of the object at a position of a list. Exactly one of its functions
// is set.
type ElementAccessor[F any] struct {
	Text   func(*F, int) string
	Int    func(*F, int) int64
	Bool   func(*F, int) bool
	Scalar func(*F, int) Scalar
	Names  func(*F, int) []string
}

// shape is what a schema says apart from the Go type that it reads.
type shape map[string]fieldShape

type fieldShape struct {
	kind     fieldKind
	scope    Scope
	isSet    bool
	elements map[string]fieldKind
}

type fieldKind uint8

const (
	noField fieldKind = iota
	textField
	intField
	boolField
	scalarField
	namesField
	listField
	jsonField
)

func (s Schema[F]) shape() shape {
	out := make(shape, len(s))
	for path, a := range s {
		f := fieldShape{scope: a.Scope, isSet: a.IsSet}
		f.kind = kindOf(a.Text != nil, a.Int != nil, a.Bool != nil, a.Scalar != nil, a.Names != nil)
		if a.JSON != nil {
			f.kind = jsonField
		}
		if a.Len != nil {
			f.kind = listField
			f.elements = make(map[string]fieldKind, len(a.Elements))
			for name, e := range a.Elements {
				f.elements[name] = kindOf(e.Text != nil, e.Int != nil, e.Bool != nil, e.Scalar != nil, e.Names != nil)
			}
		}
		out[path] = f
	}
	return out
}

func kindOf(text, int, bool, scalar, names bool) fieldKind {
	switch {
	case text:
		return textField
	case int:
		return intField
	case bool:
		return boolField
	case scalar:
		return scalarField
	case names:
		return namesField
	default:
		return noField
	}
}

// value returns the kind of a value; jsonField for one of free JSON, whose type is open.
func (s shape) value(v Value) fieldKind {
	switch v := v.(type) {
	case Literal:
		return [...]fieldKind{Null: scalarField, Bool: boolField, Int: intField, String: textField}[v.Kind]
	case Field:
		return s[v.Path].kind
	case Element:
		return s[v.List].elements[v.Path]
	case Minus:
		return intField
	case JSON:
		return jsonField
	default: // Each, Changed
		return textField
	}
}
