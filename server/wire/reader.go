package wire

import (
	"bytes"
	"fmt"

	"earshot/policy"

	"github.com/go-json-experiment/json/jsontext"
)

// reader walks one request body and notes what does not fit the contract, so that a caller of its
// methods can go on as if everything did. Values that do not fit read as zero values.
type reader struct {
	dec    *jsontext.Decoder
	limits Limits

	// texts has strings of the body once, up to maxTexts: audiences repeat the same few names.
	texts   map[string]string
	scratch []byte

	// items is the JSON pointer to the list of items.
	items string

	// sources counts the sources read so far.
	sources int

	// required is set while a value is read that cannot be left out.
	required bool

	// faults are what is wrong with the part that is being read; noted counts all there ever were.
	faults []fault
	noted  int

	// err ends the whole request: the body is not JSON, or over a limit. The first one stays.
	err error
}

// fault is one departure from the contract.
type fault struct {
	code    string // policy.CodeMalformed or policy.CodeUnknownField
	pointer string
	problem string
}

// maxFaults is how many faults of one code are kept for one part. The first ones say enough, and a
// short body must not make a long list.
const maxFaults = 16

func newReader(body []byte, limits Limits) *reader {
	return &reader{
		// The decoder reads a bytes.Buffer in place, without a copy.
		dec:    jsontext.NewDecoder(bytes.NewBuffer(body)),
		limits: limits,
		items:  "/candidates",
		texts:  make(map[string]string),
	}
}

// fail ends the request.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// note adds a fault at pointer.
func (r *reader) note(code, pointer, problem string) {
	r.noted++
	kept := 0
	for i := range r.faults {
		if r.faults[i].code == code {
			kept++
		}
	}
	if kept < maxFaults {
		r.faults = append(r.faults, fault{code, cut(pointer, maxShown), problem})
	}
}

// wrong notes that the value just read does not fit.
func (r *reader) wrong(format string, args ...any) {
	r.note(policy.CodeMalformed, string(r.dec.StackPointer()), fmt.Sprintf(format, args...))
}

// missing notes that the object just read lacks a required member.
func (r *reader) missing(name, hint string) {
	r.note(policy.CodeMalformed, string(r.dec.StackPointer())+"/"+name, "is required: "+hint)
}

// unknown skips the value of a member that the contract does not have, and notes it.
func (r *reader) unknown() {
	r.skip()
	r.note(policy.CodeUnknownField, string(r.dec.StackPointer()), "is not a field of the contract; leave it out")
}

// skip passes over one value.
func (r *reader) skip() {
	if err := r.dec.SkipValue(); err != nil {
		r.fail(notJSON(err))
	}
}

// mismatch skips a value of a wrong type and notes it.
func (r *reader) mismatch(want string) {
	got := kindName(r.dec.PeekKind())
	r.skip()
	if got == "null" {
		got += r.orNothing()
	}
	r.wrong("must be %s, not %s", want, got)
}

// must says that the value that comes next cannot be left out.
func (r *reader) must() { r.required = true }

// orNothing returns what to do about a value that says nothing.
func (r *reader) orNothing() string {
	if r.required {
		return ""
	}
	return "; leave the field out instead"
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	default:
		return "null"
	}
}

// is reports whether the next value is of a kind.
func (r *reader) is(k jsontext.Kind) bool { return r.dec.PeekKind() == k }

// null passes over a null and reports whether there was one.
func (r *reader) null() bool {
	if !r.is('n') {
		return false
	}
	r.skip()
	return true
}

// object calls member with each member name of the next value; member must read the value. It
// reports false for a value that is no object.
func (r *reader) object(member func(name string)) bool {
	if !r.is('{') {
		r.mismatch("an object")
		return false
	}
	r.delimiter()
	for r.err == nil && !r.is('}') {
		if name := r.quoted(); r.err == nil {
			r.required = false
			member(name)
		}
	}
	r.delimiter()
	return r.err == nil
}

// list calls element before each element of the next value; element must read it. It reports false
// for a value that is no list.
func (r *reader) list(element func(i int)) bool {
	if !r.is('[') {
		r.mismatch("a list")
		return false
	}
	r.delimiter()
	for i := 0; r.err == nil && !r.is(']'); i++ {
		r.must()
		element(i)
	}
	r.delimiter()
	return r.err == nil
}

// delimiter reads one bracket.
func (r *reader) delimiter() {
	if r.err != nil {
		return
	}
	if _, err := r.dec.ReadToken(); err != nil {
		r.fail(notJSON(err))
	}
}
