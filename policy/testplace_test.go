package policy_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// walked is a rule and a test beside the policy that reads all rules, as the self-check does, so that
// each of them holds in a test.
func walked() fstest.MapFS {
	return fstest.MapFS{
		"earshot/walk_test.rego": file("package earshot.walk_test\n\ntest_walk if {\n\tsome name\n\t_ = data.local[name] with input as {\"candidate\": {\"id\": \"a\"}}\n}\n"),
		"local/a/a.rego": file(`package local.a

# METADATA
# title: A
# description: A.
# custom:
#   code: a
forbid contains rego.metadata.rule().custom.code if input.candidate.id == "a"
`),
	}
}

// TestOwnTestsProveOwnRules gives a rule different tests of its own.
func TestOwnTestsProveOwnRules(t *testing.T) {
	const head = "package local.a_test\n\nimport data.local.a\n\n"
	rule := policy.Unproven{Code: "local:a", File: "local/a/a.rego", Row: 8}
	always := rule
	always.Always = true
	stray := func(name string) []policy.Stray {
		return []policy.Stray{{Name: name, File: "local/a/a_test.rego", Row: 5}}
	}
	for name, test := range map[string]struct {
		tests    string
		unproven []policy.Unproven
		strays   []policy.Stray
	}{
		"none":                      {"", []policy.Unproven{rule}, nil},
		"a misspelt one":            {"tst_a if \"a\" in a.forbid with input as {\"candidate\": {\"id\": \"a\"}}\n", []policy.Unproven{rule}, stray("tst_a")},
		"a name without its prefix": {"holds if \"a\" in a.forbid with input as {\"candidate\": {\"id\": \"a\"}}\n", []policy.Unproven{rule}, stray("holds")},
		"one in which it does not":  {"test_a if a.forbid == set() with input as {\"candidate\": {\"id\": \"b\"}}\n", []policy.Unproven{rule}, nil},
		"one in which it does":      {"test_a if \"a\" in a.forbid with input as {\"candidate\": {\"id\": \"a\"}}\n", []policy.Unproven{always}, nil},
		"both, the one with a helper": {
			"_forbid(id) := codes if codes := a.forbid with input as {\"candidate\": {\"id\": id}}\n\n" +
				"test_a if {\n\t_forbid(\"a\") == {\"a\"}\n\t_forbid(\"b\") == set()\n}\n", nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := walked()
			if test.tests != "" {
				files["local/a/a_test.rego"] = file(head + test.tests)
			}
			report, err := policy.RunTests(t.Context(), files, policy.TestOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.unproven, report.Unproven); diff != "" {
				t.Errorf("unproven (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.strays, report.Strays); diff != "" {
				t.Errorf("strays (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRunTestsRefusesWhatLeadsNowhere has tests that would pass whatever the rule says, or count as a
// rule.
func TestRunTestsRefusesWhatLeadsNowhere(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want string // empty for a test that is fine
	}{
		"a rule": {"package local.a_test\n\ntest_a if not data.local.a.forbid.b with input as {\"candidate\": {\"id\": \"a\"}}\n", ""},
		"a rule that is misspelt": {"package local.a_test\n\nimport data.local.a\n\ntest_a if not a.forbiden.b\n",
			"local/a/a_test.rego:5: rego_compile_error: data.local.a.forbiden.b leads nowhere: no rule has this name"},
		"a package that is not there": {"package local.a_test\n\ntest_a if not data.local.aa.forbid.b\n",
			"local/a/a_test.rego:3: rego_compile_error: data.local.aa.forbid.b leads nowhere: no rule has this name"},
		"what the test itself puts there": {"package local.a_test\n\ntest_a if data.local.limits.most == 1 with data.local.limits as {\"most\": 1}\n", ""},
		"a package in the plural": {"package local.board_room_tests\n\ntest_a if 1 == 1\n",
			"local/a/a_test.rego:1: rego_compile_error: package local.board_room_tests has tests and counts as a rule; its name must end in _test, such as local.board_room_test"},
		"the package of the rule": {"package local.a\n\ntest_a if 1 == 1\n",
			"local/a/a_test.rego:1: rego_compile_error: package local.a has tests and counts as a rule; its name must end in _test, such as local.a_test"},
	} {
		t.Run(name, func(t *testing.T) {
			files := walked()
			files["local/a/a_test.rego"] = file(test.text)
			_, err := policy.RunTests(t.Context(), files, policy.TestOptions{})
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (!errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
