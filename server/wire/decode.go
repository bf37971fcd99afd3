package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"earshot/policy"
)

// DecodeDecision reads the body of a request for a decision. Whatever is wrong with one candidate
// is in its Faults. The error is an *Error; nothing of the request is then to be used.
//
// The request still needs the checks of policy.Point, which look at names.
func DecodeDecision(body []byte, limits Limits) (policy.Request, error) {
	d := Decoder{limits: limits.WithDefaults()}
	return d.Decision(body)
}

// decode reads one body as read does. What read notes as a fault refuses it.
func decode[T any](body []byte, limits Limits, read func(*reader) T) (T, error) {
	var none T
	limits = limits.WithDefaults()
	switch {
	case int64(len(body)) > limits.Body:
		return none, TooLarge(limits.Body)
	case tooDeep(body):
		return none, &Error{
			Code:   CodeInvalidJSON,
			Detail: fmt.Sprintf("the body is nested deeper than %d levels", maxDepth),
		}
	}
	r := newReader(body, limits)
	if !r.is('{') && r.dec.PeekKind() != 0 {
		// A value of another kind can still be broken, which is the greater fault; both answer alike.
		return none, &Error{Code: CodeInvalidJSON, Detail: "the body must be a JSON object"}
	}
	value := read(r)
	if r.err == nil {
		r.end()
	}
	if r.err != nil {
		return none, r.err
	}
	if len(r.faults) > 0 {
		first := r.faults[0]
		return none, &Error{Code: CodeInvalidRequest, Pointer: first.pointer, Detail: first.problem}
	}
	return value, nil
}

// TooLarge returns the refusal of a body over limit, in bytes.
func TooLarge(limit int64) *Error {
	return &Error{
		Code:   CodeTooLarge,
		Detail: fmt.Sprintf("the body is over the limit of %d bytes; split the candidates over several requests", limit),
	}
}

func (r *reader) decision() policy.Request {
	req := policy.Request{}
	var turn, candidates bool
	r.object(func(name string) {
		switch name {
		case "turn":
			turn = true
			r.must()
			req.Turn = r.turn()
		case "inheritance":
			req.Inheritance = r.inheritance()
		case "candidates":
			candidates = true
			r.must()
			req.Candidates = r.candidates()
		default:
			r.unknown()
		}
	})
	if !turn {
		r.missing("turn", "say whose context is assembled and who is listening")
	}
	if !candidates {
		r.missing("candidates", "send an empty list where there are none")
	}
	return req
}

// end makes sure that nothing follows the value.
func (r *reader) end() {
	switch _, err := r.dec.ReadToken(); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.fail(notJSON(err))
	default:
		r.fail(&Error{Code: CodeInvalidJSON, Detail: "the body has data after the JSON object; send one object"})
	}
}

// candidates reads the list of candidates. Faults inside a candidate go to the candidate; a value
// that is no list is a fault of the request.
func (r *reader) candidates() []policy.Candidate {
	candidates := []policy.Candidate{}
	outer := r.faults
	isList := r.list(func(i int) {
		if i == r.limits.Candidates {
			r.fail(&Error{
				Code:    CodeTooLarge,
				Pointer: "/candidates",
				Detail:  fmt.Sprintf("are more than %d; split them over several requests", i),
			})
			return
		}
		r.faults = nil
		c := r.candidate()
		c.Faults = inside(r.faults, fmt.Sprintf("/candidates/%d", i))
		candidates = append(candidates, c)
	})
	if isList {
		r.faults = outer
	}
	return candidates
}

// inside returns faults with their places as seen from the candidate at prefix; nil for none.
func inside(faults []fault, prefix string) []policy.Fault {
	var list []policy.Fault
	for _, f := range faults {
		field := strings.TrimPrefix(strings.TrimPrefix(f.pointer, prefix), "/")
		list = append(list, policy.Fault{Code: f.code, Field: field, Problem: f.problem})
	}
	return list
}
