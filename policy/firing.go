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

// Unproven is a rule whose code the tests do not prove: nobody knows that it ever holds, or that it ever
// does not.
type Unproven struct {
	// Code is the code as reasons have it, such as local:embargo.
	Code string

	// File and Row are the place of the rule in the bundle.
	File string
	Row  int

	// Always is set where tests make the rule hold and none reads it where it does not. It is asked of
	// the rules below local alone.
	Always bool
}

// Stray is a rule in a test file that is no test and that nothing uses.
type Stray struct {
	Name string

	// File and Row are the place of the rule in the bundle.
	File string
	Row  int
}

// firings remembers which rules held during evaluations, and which were read and did not. It is a
// topdown.QueryTracer, safe for concurrent use. Evaluations must come one after another, and without an
// index of rules, for missed to be told: an index passes over a rule that cannot hold.
type firings struct {
	mu     sync.Mutex
	held   map[string]bool // by place
	missed map[string]bool // by place

	open map[uint64]string // places of rules that are read and did not hold yet, by query
}

func newFirings() *firings {
	return &firings{held: map[string]bool{}, missed: map[string]bool{}, open: map[uint64]string{}}
}

// Enabled is true: the tracer counts.
func (*firings) Enabled() bool { return true }

// Config asks for no variables.
func (*firings) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent takes note of a rule that is read, and of one whose body held.
func (f *firings) TraceEvent(event topdown.Event) {
	rule, ok := event.Node.(*ast.Rule)
	if !ok {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch event.Op {
	case topdown.EnterOp:
		f.open[event.QueryID] = place(rule.Loc())
	case topdown.ExitOp:
		f.held[place(rule.Loc())] = true
		delete(f.open, event.QueryID)
	}
}

// close ends an evaluation: what is still open was read and did not hold.
func (f *firings) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, place := range f.open {
		f.missed[place] = true
	}
	clear(f.open)
}

// missing returns the rules with a code that did not hold, and of those below local the ones that always
// did. Of these local has what their own tests did, since the tests of the whole bundle read every rule
// there is.
func (f *firings) missing(c *ast.Compiler, local *firings) []Unproven {
	var missing []Unproven
	for _, ref := range c.GetAnnotationSet().Flatten() {
		code, ok := ref.Annotations.Custom["code"].(string)
		rule := ref.GetRule()
		if !ok || rule == nil {
			continue
		}
		at, by, always := place(rule.Loc()), f, false
		if isLocal(rule.Module.Package.Path) {
			code, by, always = localNamespace+code, local, !local.missed[at]
		}
		if held := by.held[at]; !held || always {
			missing = append(missing, Unproven{code, inBundle(rule.Loc().File), rule.Loc().Row, held})
		}
	}
	slices.SortFunc(missing, func(a, b Unproven) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row))
	})
	return missing
}

func place(at *ast.Location) string { return fmt.Sprintf("%s:%d", at.File, at.Row) }

// isLocal reports whether a package is an author's own.
func isLocal(pkg ast.Ref) bool { return pkg.HasPrefix(ast.MustParseRef("data.local")) }

// strays returns the rules in test files that are no tests and that no rule in a test file names.
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

// usedByTests reports whether a rule in a test file names rule. One that walks over all packages reads
// every rule and uses none.
func usedByTests(c *ast.Compiler, rule *ast.Rule) bool {
	name := rule.Ref().GroundPrefix()
	for user := range c.Graph.Dependents(rule) {
		user, ok := user.(*ast.Rule)
		if !ok || !isTest(user.Loc().File) {
			continue
		}
		named := false
		ast.WalkRefs(user, func(ref ast.Ref) bool {
			named = named || ref.HasPrefix(name)
			return named
		})
		if named {
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
