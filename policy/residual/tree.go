package residual

// Cond is a condition: it holds, or it does not. Rego's "undefined" does not hold.
type Cond interface{ String() string }

// The conditions.
type (
	// Const holds always or never.
	Const bool

	// And holds where all of its parts do; without parts it holds.
	And []Cond

	// Or holds where one of its parts does; without parts it does not.
	Or []Cond

	// Not holds where Of does not.
	Not struct{ Of Cond }

	// Compare holds where the two values are in the order that Op names, by OPA's order of types:
	// null, booleans, numbers, text.
	Compare struct {
		Op          Op
		Left, Right Value
	}

	// Member holds where a value is one of the names.
	Member struct {
		Value Value
		Of    Names
	}

	// Same holds where two sets have the same names.
	Same struct{ Left, Right Names }

	// Some holds where Where does for some element of In. Inside of Where, the element is Slot.
	Some struct {
		Slot  int
		In    Many
		Where Cond
	}

	// Count compares the number of elements with N.
	Count struct {
		Op Op
		Of Many
		N  int64
	}

	// Text holds where a text stands in the relation that Test names to another.
	Text struct {
		Test        TextTest
		Whole, Part Value
	}

	// HasKey holds where a JSON object has a member with the name.
	HasKey struct {
		Key Value
		Of  JSON
	}

	// IsType holds where a JSON value is there and has the type.
	IsType struct {
		Type string // number, string, boolean, null, object or array
		Of   JSON
	}
)

// Op is an order of two values.
type Op uint8

// The orders.
const (
	Equal Op = iota
	NotEqual
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

// TextTest is a relation of two texts.
type TextTest uint8

// The relations.
const (
	StartsWith TextTest = iota
	EndsWith
	Contains
)

// Value is one scalar.
type Value interface{ String() string }

// The values.
type (
	// Literal is a constant.
	Literal Scalar

	// Field is a field of the input or of what is known besides.
	Field struct{ Path string }

	// Element is a field of the object in a slot.
	Element struct {
		Slot int
		List string // path of the list that the object is of
		Path string // inside the object
	}

	// Each is the name in a slot.
	Each struct{ Slot int }

	// Minus is the difference of two numbers. Beyond 64 bits it stays at the edge, so it may be
	// compared only with a literal that is far from there.
	Minus struct{ Left, Right Value }

	// Changed is a text after a function of one text and, where there is one, a literal.
	Changed struct {
		Function TextFunction
		Of       Value
		By       string
	}

	// JSON is a value inside of a field that holds free JSON. It may be missing; then no comparison
	// with it holds.
	JSON struct {
		Field string
		Keys  []string
	}
)

// TextFunction is a function of a text.
type TextFunction uint8

// The functions.
const (
	Lower TextFunction = iota
	Upper
	TrimPrefix
	TrimSuffix
)

// Many is what Some and Count go over: Names or List.
type Many interface{ String() string }

// List is a list of objects.
type List struct{ Path string }

// Names is a set of texts.
type Names interface{ Many }

// The sets. All others that a policy can build are resolved into conditions on these.
type (
	// LiteralNames is a constant set, sorted.
	LiteralNames []string

	// FieldNames is a field that holds names.
	FieldNames struct{ Path string }

	// ElementNames is a field that holds names, of the object in a slot.
	ElementNames struct {
		Slot int
		List string
		Path string
	}
)
