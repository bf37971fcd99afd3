package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// TestResult is the outcome of one Rego test of a policy folder.
type TestResult struct {
	// Package and Name identify the test, such as data.local.embargo_test and test_forbid.
	Package string
	Name    string

	// File and Row lead an author to the test; the path is inside the bundle.
	File string
	Row  int

	// Pass is false for a test that failed, for one that is switched off by a todo_ prefix, and for
	// a table without a case: a test that does not run proves nothing.
	Pass bool

	// Cases names the cases of a table test, sorted; nil where the test is none. A name of several
	// parts is joined by slashes.
	Cases []string

	// Failed are those among Cases that failed; nil where none did.
	Failed []string

	// Problem says why a test that could not run to its end did not; empty otherwise.
	Problem string

	// Output is what the test's print statements wrote.
	Output string
}

func (r *testRun) result(ctx context.Context, outcome *tester.Result) TestResult {
	result := TestResult{
		Package: outcome.Package,
		Name:    outcome.Name,
		Pass:    outcome.Pass(),
		Output:  string(outcome.Output),
	}
	if outcome.Location != nil {
		result.File = inBundle(outcome.Location.File)
		result.Row = outcome.Location.Row
	}
	for name, sub := range outcome.SubResults.Iter {
		if len(sub.SubResults) > 0 {
			continue // a part of longer names
		}
		result.Cases = append(result.Cases, strings.Join(name, "/"))
		if sub.Fail {
			result.Failed = append(result.Failed, strings.Join(name, "/"))
		}
	}
	switch {
	case outcome.Error != nil:
		result.Problem = problemOf(r.firstError(ctx, outcome), result.File)
	case outcome.Skip:
		result.Problem = "switched off by its todo_ prefix"
	case result.Pass && len(result.Cases) == 0 && r.isTable(outcome.Location):
		result.Pass, result.Problem = false, "it is a table without a case"
	}
	return result
}

// isTable reports whether the test at a place is a table: one rule with a case a key.
func (r *testRun) isTable(at *ast.Location) bool {
	for _, module := range r.compiler.Modules {
		for _, rule := range module.Rules {
			if rule.Loc().Equal(at) {
				return rule.Head.DocKind() == ast.PartialObjectDoc
			}
		}
	}
	return false
}

// problemOf says what went wrong in a test of file: where, and through which other test, if any.
// A test that asks for a whole package can meet the errors of another one in it.
func problemOf(err error, file string) string {
	text := inBundleError(err).Error()
	if e, ok := errors.AsType[*topdown.Error](err); ok {
		for _, frame := range e.StackTrace {
			if at := frame.Location; at != nil && isTest(at.File) && inBundle(at.File) != file {
				return fmt.Sprintf("in %s:%d, which it evaluates: %s", inBundle(at.File), at.Row, text)
			}
		}
	}
	return text
}
