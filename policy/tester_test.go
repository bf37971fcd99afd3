package policy_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"earshot/policy"

	"github.com/google/go-cmp/cmp"
)

func TestRunTests(t *testing.T) {
	fsys := fstest.MapFS{"local/a_test.rego": {Data: []byte(`package local.a_test

test_true if 1 == 1

test_false if 1 == 2

test_table[name] if {
	some name, n in {"one": 1, "two": 2}
	n == 1
}

test_error if to_number("x") == 1

todo_test_off if 1 == 1
`)}}
	got, err := policy.RunTests(t.Context(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].Name == "test_error" && got[i].Problem != "" {
			got[i].Problem = "…" // OPA's words
		}
	}
	const pkg, file = "data.local.a_test", "local/a_test.rego"
	want := []policy.TestResult{
		{Package: pkg, Name: "test_error", File: file, Row: 12, Problem: "…"},
		{Package: pkg, Name: "test_false", File: file, Row: 5},
		{Package: pkg, Name: "test_table", File: file, Row: 7, Failed: []string{"two"}},
		{Package: pkg, Name: "test_true", File: file, Row: 3, Pass: true},
		{Package: pkg, Name: "todo_test_off", File: file, Row: 14, Problem: "switched off by its todo_ prefix"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestRunTestsOfTheEmbeddedPolicy(t *testing.T) {
	results, err := policy.RunTests(t.Context(), policy.EmbeddedFS())
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 {
		t.Fatal("the embedded policy has no tests")
	}
	for _, result := range results {
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
			results, err := policy.RunTests(t.Context(), fsys)
			if !errors.Is(err, policy.ErrBundle) || results != nil {
				t.Errorf("got %v, %v; want no results and an error that matches ErrBundle", results, err)
			}
		})
	}
}

func TestRunTestsThatAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := policy.RunTests(ctx, policy.EmbeddedFS()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
