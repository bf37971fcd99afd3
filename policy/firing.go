package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// Unproven is a rule whose code no test has seen: nobody knows that it ever holds.
type Unproven struct {
	// Code is the code as reasons have it, such as local:embargo.
	Code string

	// File and Row are the place of the rule in the bundle.
	File string
	Row  int
}

// Stray is a rule in a test file that is no test and that nothing uses.
type Stray struct {
	Name string

	// File and Row are the place of the rule in the bundle.
	File string
	Row  int
}

// firings remembers which rules held during an evaluation. It is a topdown.QueryTracer, safe for
// concurrent use.
type firings struct {
	mu   sync.Mutex
	held map[string]bool // by place
}

func newFirings() *firings { return &firings{held: map[string]bool{}} }

// Enabled is true: the tracer counts.
func (*firings) Enabled() bool { return true }

// Config asks for no variables.
func (*firings) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent takes note of a rule whose body held.
func (f *firings) TraceEvent(event topdown.Event) {
	rule, ok := event.Node.(*ast.Rule)
	if !ok || event.Op != topdown.ExitOp {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held[place(rule.Loc())] = true
}

// missing returns the rules with a code that did not hold.
func (f *firings) missing(c *ast.Compiler) []Unproven {
	f.mu.Lock()
	defer f.mu.Unlock()
	var missing []Unproven
	for _, ref := range c.GetAnnotationSet().Flatten() {
		code, ok := ref.Annotations.Custom["code"].(string)
		rule := ref.GetRule()
		if !ok || rule == nil || f.held[place(rule.Loc())] {
			continue
		}
		if rule.Module.Package.Path.HasPrefix(ast.MustParseRef("data.local")) {
			code = localNamespace + code
		}
		missing = append(missing, Unproven{code, inBundle(rule.Loc().File), rule.Loc().Row})
	}
	slices.SortFunc(missing, func(a, b Unproven) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row))
	})
	return missing
}

func place(at *ast.Location) string { return fmt.Sprintf("%s:%d", at.File, at.Row) }

// strays returns the rules in test files that are no tests and that no rule in a test file uses.
func strays(c *ast.Compiler) []Stray {
	var strays []Stray
	for _, name := range slices.Sorted(maps.Keys(c.Modules)) {
		if !isTest(name) {
			continue
		}
		for _, rule := range c.Modules[name].Rules {
			if !isTestRule(rule) && !usedByTests(c, rule) {
				strays = append(strays, Stray{rule.Head.Ref().String(), inBundle(rule.Loc().File), rule.Loc().Row})
			}
		}
	}
	return strays
}

// usedByTests reports whether a rule in a test file reads rule. What is not in a test file can reach
// it only by walking over all packages.
func usedByTests(c *ast.Compiler, rule *ast.Rule) bool {
	for user := range c.Graph.Dependents(rule) {
		if user, ok := user.(*ast.Rule); ok && isTest(user.Loc().File) {
			return true
		}
	}
	return false
}

// isTestRule reports whether the runner takes a rule for a test, to run or to skip.
func isTestRule(rule *ast.Rule) bool {
	return slices.ContainsFunc(rule.Head.Ref().GroundPrefix(), func(part *ast.Term) bool {
		name := strings.Trim(part.Value.String(), `"`)
		return strings.HasPrefix(name, tester.TestPrefix) || strings.HasPrefix(name, tester.SkipTestPrefix)
	})
}
