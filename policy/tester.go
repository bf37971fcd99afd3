package policy

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
	"golang.org/x/tools/txtar"
)

// TestOptions choose what RunTests runs. The zero value runs every test.
type TestOptions struct {
	// Only, unless it is nil, must match the full name of a test, such as
	// data.local.embargo_test.test_embargo, for the test to run.
	Only *regexp.Regexp
}

// TestReport is the outcome of a run of the Rego tests of a policy folder.
type TestReport struct {
	// Results has one result a test that ran, sorted by package and name.
	Results []TestResult

	// Unproven are the rules with a code that held in no test, sorted by place, and those below local
	// that held in each of their own. It is nil where only some of the tests ran.
	Unproven []Unproven

	// Strays are the rules in test files that are no tests and that nothing uses, such as one whose
	// prefix is misspelt, sorted by place.
	Strays []Stray
}

// testTimeout is how long one Rego test may take, its cases together. OPA's own five seconds are too
// few for a long table on a slow machine.
const testTimeout = 2 * time.Minute

// RunTests runs the Rego tests of a policy folder, as stock `opa test` does. No results mean that
// there are no such tests. The error matches ErrBundle where the folder cannot be read or does not
// compile strictly, with its tests, against the schemas of input and data.
func RunTests(ctx context.Context, fsys fs.FS, options TestOptions) (*TestReport, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	// The manifest's roots bound what decides. Tests may stand in packages beside them.
	files = slices.DeleteFunc(files, func(f txtar.File) bool { return path.Base(f.Name) == bundle.ManifestExt })
	parsed, err := parse(files)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	strict, err := compile(&Bundle{parsed: parsed})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}

	if problems := misplacedTests(strict, parsed.Data); len(problems) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrBundle, describe(problems))
	}

	run := &testRun{
		// The runner compiles once more, with what it adds to tests and with print statements.
		compiler: ast.NewCompiler().WithDefaultRegoVersion(ast.RegoV1).WithEnablePrintStatements(true),
		store:    inmem.NewFromObject(parsed.Data),
	}
	if run.txn, err = run.store.NewTransaction(ctx, storage.TransactionParams{}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	defer run.store.Abort(ctx, run.txn)
	fired := newFirings()
	runner := tester.NewRunner().
		SetCompiler(run.compiler).
		SetStore(run.store).
		SetModules(parsed.ParsedModules("")).
		SetCoverageQueryTracer(fired).
		SetTimeout(testTimeout).
		RaiseBuiltinErrors(true)
	if options.Only != nil {
		runner.Filter(options.Only.String())
	}
	outcomes, err := runner.RunTests(ctx, run.txn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	report := &TestReport{Strays: strays(strict)}
	for outcome := range outcomes {
		report.Results = append(report.Results, run.result(ctx, outcome))
	}
	// The runner stops early, without a word, when its context ends.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(report.Results, func(a, b TestResult) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
	if options.Only == nil {
		local, err := run.localFirings(ctx, report.Results)
		if err != nil {
			return nil, err
		}
		report.Unproven = fired.missing(strict, local)
	}
	return report, nil
}

// testRun is what the tests of one run are evaluated with.
type testRun struct {
	compiler *ast.Compiler
	store    storage.Store
	txn      storage.Transaction
}

// localFirings evaluates the tests below local once more, one after another, and returns which rules held
// in them and which did not. What goes wrong in a test is in its result already. The error is that of ctx.
func (r *testRun) localFirings(ctx context.Context, results []TestResult) (*firings, error) {
	fired := newFirings()
	for _, result := range results {
		pkg, err := ast.ParseRef(result.Package)
		if err != nil || !isLocal(pkg) || result.Problem != "" {
			continue
		}
		query, err := rego.New(
			rego.Compiler(r.compiler),
			rego.Store(r.store),
			rego.Transaction(r.txn),
			rego.Query(result.Package+"."+result.Name),
		).PrepareForEval(ctx)
		if err != nil {
			return nil, err
		}
		once, cancel := context.WithTimeout(ctx, testTimeout)
		_, _ = query.Eval(once, rego.EvalTransaction(r.txn), rego.EvalQueryTracer(fired), rego.EvalRuleIndexing(false))
		cancel()
		fired.close()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return fired, nil
}

// firstError evaluates a test once more, up to its first error. The runner gives one error for all.
func (r *testRun) firstError(ctx context.Context, outcome *tester.Result) error {
	_, err := rego.New(
		rego.Compiler(r.compiler),
		rego.Store(r.store),
		rego.Transaction(r.txn),
		rego.Query(outcome.Package+"."+outcome.Name),
		rego.StrictBuiltinErrors(true),
		rego.StackTraces(true),
	).Eval(ctx)
	if err == nil { // Then the first word on it has to do.
		return outcome.Error
	}
	return err
}
