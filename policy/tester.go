package policy

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
)

// TestResult is the outcome of one Rego test of a policy folder.
type TestResult struct {
	// Package and Name identify the test, such as data.local.embargo_test and test_forbid.
	Package string
	Name    string

	// File and Row lead an author to the test; the path is inside the bundle.
	File string
	Row  int

	// Pass is false for a test that failed, and for one that is switched off by a todo_ prefix:
	// a test that does not run proves nothing.
	Pass bool

	// Failed names the cases of a table test that failed, sorted; nil where the test has none.
	Failed []string

	// Problem says why a test that could not run to its end did not; empty otherwise.
	Problem string
}

// RunTests runs the Rego tests of a policy folder, as stock `opa test` does, and returns one result
// a test, sorted by package and name. An empty result means that there are no tests. The error
// matches ErrBundle where the folder cannot be read or does not compile strictly, with its tests,
// against the schemas of input and data.
func RunTests(ctx context.Context, fsys fs.FS) ([]TestResult, error) {
	// The manifest's roots bound what decides. Tests may stand in packages beside them.
	parsed, err := readBundle(fsys, func(name string) bool { return path.Base(name) != bundle.ManifestExt })
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	// The runner compiles for itself and is less strict than the engine.
	if _, err := compile(&Bundle{parsed: parsed}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}

	store := inmem.NewFromObject(parsed.Data)
	txn, err := store.NewTransaction(ctx, storage.TransactionParams{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	defer store.Abort(ctx, txn)
	outcomes, err := tester.NewRunner().
		SetStore(store).
		SetModules(parsed.ParsedModules("")).
		SetDefaultRegoVersion(ast.RegoV1).
		RaiseBuiltinErrors(true).
		RunTests(ctx, txn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	var results []TestResult
	for outcome := range outcomes {
		results = append(results, testResult(outcome))
	}
	// The runner stops early, without a word, when its context ends.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(results, func(a, b TestResult) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
	return results, nil
}

func testResult(outcome *tester.Result) TestResult {
	result := TestResult{
		Package: outcome.Package,
		Name:    outcome.Name,
		Pass:    outcome.Pass(),
	}
	if outcome.Location != nil {
		result.File = inBundle(outcome.Location.File)
		result.Row = outcome.Location.Row
	}
	for name, sub := range outcome.SubResults.Iter {
		if sub.Fail {
			result.Failed = append(result.Failed, strings.Join(name, "/"))
		}
	}
	slices.Sort(result.Failed)
	switch {
	case outcome.Error != nil:
		result.Problem = outcome.Error.Error()
	case outcome.Skip:
		result.Problem = "switched off by its todo_ prefix"
	}
	return result
}
