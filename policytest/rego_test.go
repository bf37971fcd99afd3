package policytest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"
)

// TestRego runs the tests that stand beside the rules, so that one command proves both languages.
func TestRego(t *testing.T) {
	results, _ := runRego(t, authorsBundle(), nil)
	if len(results) == 0 {
		t.Fatal("no Rego test ran")
	}
	for _, result := range results {
		name := strings.TrimPrefix(result.Package, "data.") + "." + result.Name
		t.Run(name, func(t *testing.T) {
			subResults(t, result.SubResults)
			switch {
			case result.Error != nil:
				t.Error(result.Error)
			case result.Skip:
				t.Error("the test is marked as to be done; write it or remove it")
			case !result.Pass():
				t.Errorf("%s: fails", result.Location)
			}
		})
	}
}

func subResults(t *testing.T, results tester.SubResultMap) {
	for _, name := range slices.Sorted(maps.Keys(results)) {
		sub := results[name]
		t.Run(name, func(t *testing.T) {
			if len(sub.SubResults) > 0 {
				subResults(t, sub.SubResults)
				return
			}
			if sub.Fail {
				t.Error("fails")
			}
		})
	}
}

// TestRegoCoverage asks the tests beside the rules for every line of the bundle. A line that no test
// reaches is one that nobody has seen deny.
func TestRegoCoverage(t *testing.T) {
	coverage := cover.New()
	_, modules := runRego(t, authorsBundle(), coverage)
	maps.DeleteFunc(modules, func(name string, _ *ast.Module) bool { return strings.HasSuffix(name, "_test.rego") })

	covered := 0
	report := coverage.Report(modules)
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		file := report.Files[name]
		if file == nil {
			continue // A module of comments and a package clause has no line to cover.
		}
		covered += file.CoveredLines
		// Several expressions on one line are several ranges of the same rows.
		var missed []string
		for _, lines := range file.NotCovered {
			missed = append(missed, rows(lines))
		}
		for _, lines := range slices.Compact(missed) {
			t.Errorf("%s:%s: not covered by any Rego test", name, lines)
		}
	}
	if covered == 0 {
		t.Error("no line is covered; the coverage is that of other files")
	}
}

func rows(r cover.Range) string {
	if r.Start.Row == r.End.Row {
		return fmt.Sprint(r.Start.Row)
	}
	return fmt.Sprintf("%d-%d", r.Start.Row, r.End.Row)
}
