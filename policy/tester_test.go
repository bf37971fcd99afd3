package policy_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"testing/fstest"

	"earshot/policy"

	"github.com/google/go-cmp/cmp"
)

func TestRunTests(t *testing.T) {
	fsys := fstest.MapFS{
		"local/a/a.rego": {Data: []byte(`package local.a

# METADATA
# title: A
# description: A.
# custom:
#   code: a
forbid contains rego.metadata.rule().custom.code if input.candidate.id == "a"

# METADATA
# title: B
# description: B.
# custom:
#   code: b
forbid contains rego.metadata.rule().custom.code if input.candidate.id == "b"
`)},
		"local/a/a_test.rego": {Data: []byte(`package local.a_test

import data.local.a

test_true if {
	print("hello")
	_helper("a") == {"a"}
}

test_false if 1 == 2

test_table[name][part] if {
	some name, parts in {"one": {"x": 1, "y": 2}, "two": {"x": 1}}
	some part, n in parts
	n == 1
}

test_no_case[name] if {
	some name, n in {}
	n == 1
}

test_error if count([n | some text in ["1", "x", "y"]; n := to_number(text)]) == 1

todo_test_off if 1 == 1

tst_misspelt if 1 == 1

_helper(id) := codes if codes := a.forbid with input as {"candidate": {"id": id}}
`)},
	}
	got, err := policy.RunTests(t.Context(), fsys, policy.TestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const pkg, file = "data.local.a_test", "local/a/a_test.rego"
	want := &policy.TestReport{
		Results: []policy.TestResult{
			{Package: pkg, Name: "test_error", File: file, Row: 23, Problem: file + `:23: eval_builtin_error: to_number: strconv.ParseFloat: parsing "x": invalid syntax`},
			{Package: pkg, Name: "test_false", File: file, Row: 10},
			{Package: pkg, Name: "test_no_case", File: file, Row: 18, Problem: "it is a table without a case"},
			{Package: pkg, Name: "test_table", File: file, Row: 12, Cases: []string{"one/x", "one/y", "two/x"}, Failed: []string{"one/y"}},
			{Package: pkg, Name: "test_true", File: file, Row: 5, Pass: true, Output: "hello\n"},
			{Package: pkg, Name: "todo_test_off", File: file, Row: 25, Problem: "switched off by its todo_ prefix"},
		},
		Unproven: []policy.Unproven{{Code: "local:a", File: "local/a/a.rego", Row: 8, Always: true}, {Code: "local:b", File: "local/a/a.rego", Row: 15}},
		Strays:   []policy.Stray{{Name: "tst_misspelt", File: file, Row: 27}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	// Of a part of the tests nobody can say what they leave unproven.
	got, err = policy.RunTests(t.Context(), fsys, policy.TestOptions{Only: regexp.MustCompile(`a_test\.test_fal`)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&policy.TestReport{Results: want.Results[1:2], Strays: want.Strays}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestRunTestsNamesTheCause has a test that walks over all packages, and so meets the error of
// another one.
func TestRunTestsNamesTheCause(t *testing.T) {
	fsys := fstest.MapFS{
		"earshot/a_test.rego": {Data: []byte("package earshot.a_test\n\ntest_walk if {\n\tsome name, _ in data.local\n\tname == \"b_test\"\n}\n")},
		"local/b_test.rego":   {Data: []byte("package local.b_test\n\ntest_error if to_number(\"x\") == 1\n")},
	}
	got, err := policy.RunTests(t.Context(), fsys, policy.TestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const cause = `local/b_test.rego:3: eval_builtin_error: to_number: strconv.ParseFloat: parsing "x": invalid syntax`
	want := []policy.TestResult{
		{Package: "data.earshot.a_test", Name: "test_walk", File: "earshot/a_test.rego", Row: 3, Problem: "in local/b_test.rego:3, which it evaluates: " + cause},
		{Package: "data.local.b_test", Name: "test_error", File: "local/b_test.rego", Row: 3, Problem: cause},
	}
	if diff := cmp.Diff(want, got.Results); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestRunTestsOfTheEmbeddedPolicy(t *testing.T) {
	report, err := policy.RunTests(t.Context(), policy.EmbeddedFS(), policy.TestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Results) == 0 {
		t.Fatal("the embedded policy has no tests")
	}
	if len(report.Unproven)+len(report.Strays) > 0 {
		t.Errorf("no test makes these hold: %v; these are no tests: %v", report.Unproven, report.Strays)
	}
	for _, result := range report.Results {
		if !result.Pass {
			t.Errorf("%s:%d: %s.%s failed: %s %v", result.File, result.Row, result.Package, result.Name, result.Problem, result.Failed)
		}
	}
}

func TestRunTestsRefuses(t *testing.T) {
	tests := map[string]string{
		"no Rego":        "package local.a_test\n\ntest_x if (",
		"does not check": "package local.a_test\n\ntest_x if y == 1",
		"reads a clock":  "package local.a_test\n\ntest_x if time.now_ns() > 0",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"local/a_test.rego": {Data: []byte(text)}}
			report, err := policy.RunTests(t.Context(), fsys, policy.TestOptions{})
			if !errors.Is(err, policy.ErrBundle) || report != nil {
				t.Errorf("got %v, %v; want no report and an error that matches ErrBundle", report, err)
			}
		})
	}
}

func TestRunTestsThatAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := policy.RunTests(ctx, policy.EmbeddedFS(), policy.TestOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
