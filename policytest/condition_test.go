package policytest_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"earshot/policy"
	"earshot/policytest"
)

// redundantConditions are those that change no answer, each with the reason why the rule still says
// it. They are written as code: condition.
var redundantConditions = map[string]string{
	"audience_covers_viewers: viewers.known":               "viewers_ambiguous forbids the same; a permit should be right by itself",
	"tenant_wide: viewers.known":                           "viewers_ambiguous forbids the same; a permit should be right by itself",
	"tenant_wide: count(input.turn.external_viewers) == 0": "external_viewer forbids the same; a permit should be right by itself",
}

// TestEveryConditionIsMissed takes one condition at a time out of each rule of a decision and asks for a case that
// goes red. A rule that forbids too much is as wrong as one that forbids too little.
func TestEveryConditionIsMissed(t *testing.T) {
	shipped := policy.EmbeddedFS()
	cases := readCases(t)
	tried, redundant := 0, 0
	for _, r := range readRules(t, shipped) {
		if r.ofHandoff() {
			continue
		}
		content, err := fs.ReadFile(shipped, r.file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		for _, condition := range conditions(t, r, text) {
			source := string(condition.Loc().Text)
			key := r.code + ": " + source
			t.Run(fmt.Sprintf("%s/row_%d", r.reported(), condition.Loc().Row), func(t *testing.T) {
				mutant := replaced(t, shipped, map[string][]byte{r.file: without(text, condition)})
				killer := killer(t, policytest.NewPolicy(mutant), cases, r.reported())
				reason, known := redundantConditions[key]
				tried++
				switch {
				case killer == "" && known:
					redundant++
					t.Logf("%s: changes no answer: %s", key, reason)
				case killer == "":
					t.Errorf("%s:%d: without %q every case holds", r.file, condition.Loc().Row, source)
				case known:
					t.Errorf("%q is missed by %s: strike it from the list of redundant conditions", key, killer)
				default:
					t.Logf("%s: missed by %s", key, killer)
				}
			})
		}
	}
	if tried == 0 || redundant != len(redundantConditions) {
		t.Errorf("%d conditions were tried, %d of them known as redundant; the list names %d",
			tried, redundant, len(redundantConditions))
	}
}

// without returns text with something in the place of the condition that is always true. It still uses
// what the condition uses, or the strict compiler objects.
func without(text string, condition *ast.Expr) []byte {
	begin, end := condition.Loc().Offset, condition.Loc().Offset+len(condition.Loc().Text)
	return []byte(text[:begin] + "count({1 | " + text[begin:end] + "}) >= 0" + text[end:])
}

// conditions returns the expressions of r's body that ask something. One that only gives a name to
// a value cannot be left out by itself.
func conditions(t *testing.T, r rule, text string) []*ast.Expr {
	t.Helper()
	module, err := ast.ParseModuleWithOpts(r.file, text, ast.ParserOptions{RegoVersion: ast.RegoV1})
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.Expr
	for _, parsed := range module.Rules {
		if at := parsed.Loc().Offset; at > r.begin || at+len(parsed.Loc().Text) < r.end {
			continue
		}
		for _, e := range parsed.Body {
			if !e.IsSome() && !e.IsAssignment() && !strings.HasPrefix(string(e.Loc().Text), "some ") {
				out = append(out, e)
			}
		}
	}
	return out
}
