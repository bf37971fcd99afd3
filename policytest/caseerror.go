package policytest

import (
	"errors"
	"fmt"
	"strings"
)

// ErrCase means that a case file is not fit to prove anything: it is not YAML, has a key that is
// not known, or asserts nothing.
var ErrCase = errors.New("case refused")

// CaseError says what is wrong with one case file. It matches ErrCase.
type CaseError struct {
	// File is the path of the file below the root of the cases.
	File string

	// Line is counted from 1.
	Line int

	// Problem is a sentence.
	Problem string

	cause error
}

// Error returns file, line and problem.
func (e *CaseError) Error() string {
	return fmt.Sprintf("%v: %s:%d: %s", ErrCase, e.File, e.Line, e.Problem)
}

// Is reports whether target is ErrCase.
func (e *CaseError) Is(target error) bool { return target == ErrCase }

// Unwrap returns what the case made go wrong; nil where it was not tried.
func (e *CaseError) Unwrap() error { return e.cause }

// CaseErrors say what is wrong with the files of a tree, at most one a file, sorted by file. They
// match ErrCase.
type CaseErrors []*CaseError

// Error returns the errors, one a line.
func (e CaseErrors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Is reports whether target is ErrCase.
func (e CaseErrors) Is(target error) bool { return target == ErrCase }

// fault returns a CaseError about the place in c that keys lead to.
func (c *Case) fault(cause error, problem string, keys ...string) *CaseError {
	return &CaseError{File: c.Name + caseEnding, Line: lineOf(c.text, keys...), Problem: problem, cause: cause}
}
