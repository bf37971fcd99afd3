package world

import (
	"errors"
	"fmt"
)

// ErrImpossible means that a story cannot have happened. The error is an *ImpossibleError.
var ErrImpossible = errors.New("impossible world")

// ImpossibleError says what cannot have happened, and where the story says so.
type ImpossibleError struct {
	// Place has the keys and positions that lead to the place in the story, such as happened, 3,
	// leaves. A reader of files makes a line number of it.
	Place []string

	// Problem is a sentence.
	Problem string
}

// Error returns the problem.
func (e *ImpossibleError) Error() string { return e.Problem }

// Is reports whether target is ErrImpossible.
func (e *ImpossibleError) Is(target error) bool { return target == ErrImpossible }

func impossible(place []string, format string, args ...any) error {
	return &ImpossibleError{Place: place, Problem: fmt.Sprintf(format, args...)}
}
