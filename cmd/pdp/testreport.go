package main

import (
	"fmt"
	"io"
	"strings"

	"earshot/policy"
)

// tally counts what was run and what failed.
type tally struct{ all, failed int }

// printTests prints the Rego tests that failed, or all of them, and what the tests do not prove.
func printTests(w io.Writer, report *policy.TestReport, verbose bool) tally {
	t := tally{all: len(report.Results)}
	for _, result := range report.Results {
		if !result.Pass {
			t.failed++
		}
		if !result.Pass || verbose {
			printTest(w, &result)
		}
	}
	for _, stray := range report.Strays {
		fmt.Fprintf(w, "warning: %s:%d: %s is no test, and nothing uses it; the name of a test begins with test_\n",
			stray.File, stray.Row, stray.Name)
	}
	// Without any test the summary says enough.
	for _, rule := range report.Unproven {
		switch {
		case t.all == 0:
		case rule.Always:
			fmt.Fprintf(w, "warning: %s:%d: %s holds in all its tests; add one in which it does not\n", rule.File, rule.Row, rule.Code)
		default:
			fmt.Fprintf(w, "warning: %s:%d: no test makes %s hold\n", rule.File, rule.Row, rule.Code)
		}
	}
	return t
}

func printTest(w io.Writer, result *policy.TestResult) {
	fmt.Fprintf(w, "%s:%d: %s.%s ", result.File, result.Row, result.Package, result.Name)
	switch {
	case !result.Pass:
		fmt.Fprint(w, "failed")
	case len(result.Cases) > 0:
		fmt.Fprintf(w, "passed, %s", count(len(result.Cases), "case"))
	default:
		fmt.Fprint(w, "passed")
	}
	if len(result.Failed) > 0 {
		fmt.Fprintf(w, " in %s of %d: %q", count(len(result.Failed), "case"), len(result.Cases), result.Failed)
	}
	if result.Problem != "" {
		fmt.Fprintf(w, ": %s", result.Problem)
	}
	fmt.Fprintln(w)
	for line := range strings.Lines(result.Output) {
		fmt.Fprintf(w, "  %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// summarise prints the last line: what passed, or what failed, and which policy decided the cases
// where it is not that of the folder.
func summarise(w io.Writer, folder policyFolder, set *caseSet, tests, cases tally) error {
	where := folder.String()
	if set != nil && !set.ownPolicy {
		where += ", decided by " + set.decider.String()
	}
	var passed, failed []string
	for _, kind := range []struct {
		tally
		name string
	}{{tests, "test"}, {cases, "case"}} {
		if kind.all > 0 {
			passed = append(passed, count(kind.all, kind.name))
			failed = append(failed, fmt.Sprintf("%d of %s", kind.failed, count(kind.all, kind.name)))
		}
	}
	switch {
	case len(passed) == 0:
		return fmt.Errorf("there are no tests in %s; put rules named test_… into files named …_test.rego", folder)
	case tests.failed+cases.failed > 0:
		fmt.Fprintf(w, "%s failed in %s\n", strings.Join(failed, " and "), where)
		return errReported
	}
	_, err := fmt.Fprintf(w, "%s passed in %s\n", strings.Join(passed, " and "), where)
	return err
}

// count returns a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
