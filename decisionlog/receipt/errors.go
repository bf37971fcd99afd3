package receipt

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Errors a caller can tell apart with errors.Is.
var (
	// ErrInvalid means that an envelope is no receipt of a key that was given, or a disclosure opens
	// nothing. The error is a *PlaceError, which says where.
	ErrInvalid = errors.New("receipt is invalid")

	// ErrIssue means that no receipts could be made of a decision. Nothing was signed for the caller,
	// and nothing was recorded.
	ErrIssue = errors.New("receipts cannot be made")
)

// PlaceError says what is wrong with a receipt and where. It matches ErrInvalid.
type PlaceError struct {
	// Place is a JSON pointer (RFC 6901) into the envelope, such as /signatures/0/sig. Inside of the
	// payload the pointer into the statement follows, such as /payload: /predicate/issued_at.
	Place string

	// Problem is a sentence fragment that fits after the place.
	Problem string
}

// Error returns the place and the problem.
func (e *PlaceError) Error() string {
	if e.Place == "" {
		return "the envelope " + e.Problem
	}
	return e.Place + " " + e.Problem
}

// Is reports whether target is ErrInvalid.
func (e *PlaceError) Is(target error) bool { return target == ErrInvalid }

func wrong(place, format string, args ...any) error {
	return &PlaceError{Place: place, Problem: fmt.Sprintf(format, args...)}
}

func asPlace(err error) (*PlaceError, bool) { return errors.AsType[*PlaceError](err) }

// misread returns what a reader of JSON found wrong, without what it quotes.
func misread(prefix string, err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		problem := "is no JSON"
		if errors.Is(err, jsontext.ErrDuplicateName) {
			problem = "is there twice"
		}
		return wrong(prefix+string(syntax.JSONPointer), "%s, at byte %d", problem, syntax.ByteOffset)
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		problem := "has the wrong form"
		if errors.Is(err, json.ErrUnknownName) {
			problem = "is a member that does not belong here"
		}
		return wrong(prefix+string(semantic.JSONPointer), "%s, at byte %d", problem, semantic.ByteOffset)
	}
	return wrong(prefix, "ends too early")
}
