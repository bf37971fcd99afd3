package wire

import (
	"errors"
	"fmt"
	"io"

	"earshot/policy"

	"github.com/go-json-experiment/json/jsontext"
)

// Codes of an Error, as the wire contract has them.
const (
	// CodeInvalidJSON means the body is not one JSON object in UTF-8 with distinct member names.
	CodeInvalidJSON = "invalid_json"

	// CodeInvalidRequest means the body is JSON and does not have the form of the contract.
	CodeInvalidRequest = "invalid_request"

	// CodeTooLarge means the request is over one of the Limits.
	CodeTooLarge = "too_large"
)

// Error says why a request was refused and what to do about it. Nothing was decided.
type Error struct {
	// Code is one of the codes above.
	Code string

	// Pointer is a JSON pointer (RFC 6901) to the place in the body; empty for CodeInvalidJSON and
	// for the body as a whole.
	Pointer string

	// Detail is a sentence fragment for the caller. It repeats no value of the body.
	Detail string
}

// Error returns the code, the place and the detail.
func (e *Error) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Detail)
	}
	return fmt.Sprintf("%s: %s: %s", e.Code, e.Pointer, e.Detail)
}

// AsError returns the refusal in err: an *Error as it is, and a *policy.InvalidError as
// CodeInvalidRequest with the same pointer. It reports false for any other error.
func AsError(err error) (*Error, bool) {
	if refusal, ok := errors.AsType[*Error](err); ok {
		return refusal, true
	}
	if invalid, ok := errors.AsType[*policy.InvalidError](err); ok {
		return &Error{Code: CodeInvalidRequest, Pointer: invalid.Pointer, Detail: invalid.Problem}, true
	}
	return nil, false
}

// notJSON returns the refusal for an error of the JSON decoder.
func notJSON(err error) *Error {
	detail := "is not valid JSON"
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		detail = "ends before the JSON value does; send it whole"
	case !ok:
	case errors.Is(err, jsontext.ErrDuplicateName):
		detail = fmt.Sprintf("repeats a member name (%s, byte %d); give each name once",
			cut(string(syntax.JSONPointer), maxShown), syntax.ByteOffset)
	default:
		detail = fmt.Sprintf("is not valid JSON in UTF-8 at byte %d: %s",
			syntax.ByteOffset, cut(syntax.Err.Error(), maxShown))
	}
	return &Error{Code: CodeInvalidJSON, Detail: "the body " + detail}
}

// maxShown is how many bytes of a caller's own text a message repeats.
const maxShown = 160

// cut returns s, or its beginning and an ellipsis where it is longer than most bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && s[end]&0xC0 == 0x80 { // not inside a UTF-8 sequence
		end--
	}
	return s[:end] + "…"
}
