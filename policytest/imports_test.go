package policytest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	packageOPA  = "github.com/open-policy-agent/opa"
	packageEcho = "github.com/labstack/echo/v4"
)

// importRules is the import direction of the module: policy at the bottom; decisionlog and
// retriever on it; server on those; cmd/pdp on top. Packages below the ones named are meant as well.
var importRules = []struct {
	from, to string
	because  string
}{
	{"earshot/policy", "database/sql", "the decision point hands its entries to a Recorder and keeps none itself"},
	{"earshot/policy", "net/http", "the decision point is the same without a server, and a policy opens no connection"},
	{"earshot/policy", packageEcho, "only server knows echo"},
	{"earshot/policy", "earshot/decisionlog", "policy defines the Recorder and does not know who implements it"},
	{"earshot/policy", "earshot/retriever", "the decision point sees labels and never text"},
	{"earshot/policy", "earshot/server", "the decision point is below the server"},
	{"earshot/policy", "earshot/policytest", "what is proved does not know its proof"},

	{"earshot/decisionlog", packageOPA, "a log of decisions is read without the policy language"},
	{"earshot/decisionlog", packageEcho, "only server knows echo"},
	{"earshot/decisionlog", "net/http", "the log is asked in Go; server puts the questions into HTTP"},
	{"earshot/decisionlog", "earshot/retriever", "the log must not reach text"},
	{"earshot/decisionlog", "earshot/server", "the log is below the server"},

	{"earshot/retriever", packageOPA, "the read path takes admissions and asks no policy of its own"},
	{"earshot/retriever", packageEcho, "only server knows echo"},
	{"earshot/retriever", "earshot/decisionlog", "memory must not depend on how decisions are kept"},
	{"earshot/retriever", "earshot/server", "memory is below the server"},

	{"earshot/server", packageOPA, "the server asks the decision point, never the policy"},
	{"earshot/server", "database/sql", "the server asks the log and the stores, never their database"},
	{"earshot/server", "earshot/policytest", "what is proved does not know its proof"},
	{"earshot/server/wire", packageEcho, "the command line and the cases read the same bytes without a server"},
	{"earshot/server/wire", "net/http", "the command line and the cases read the same bytes without a server"},

	{"earshot/cmd", packageEcho, "only server knows echo"},
	{"earshot/cmd", packageOPA, "a command is wiring; what it needs of the policy is a method of policy"},
}

// importsOfOurs are the packages that may import nothing of this module but what stands here, so that
// what they say of the decision point is not its own word.
var importsOfOurs = map[string][]string{
	"earshot/policytest/world":   nil,
	"earshot/policytest/reading": {"earshot/policy"}, // types and constants; a test of its own checks that
}

// TestIndependentPackages compares the imports of this module with those that are allowed. Tests are
// left out: they are where the two words are compared.
func TestIndependentPackages(t *testing.T) {
	m := listModule(t)
	for path, want := range importsOfOurs {
		p, ok := m[path]
		if !ok {
			t.Errorf("nothing in this module is %s: was it renamed?", path)
			continue
		}
		var got []string
		for _, imported := range p.Imports {
			if within(imported, modulePath) {
				got = append(got, imported)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what %s imports of this module (-allowed +imported):\n%s", path, diff)
		}
	}
}

// notYet are the packages in the rules that are still to be written.
var notYet = map[string]bool{"earshot/retriever": true}

// TestImportDirection holds every rule. A rule whose packages are gone is an error too: it would
// hold for ever and mean nothing.
func TestImportDirection(t *testing.T) {
	m := listModule(t)
	for _, rule := range importRules {
		t.Run(rule.from+" "+rule.to, func(t *testing.T) {
			for _, named := range []string{rule.from, rule.to} {
				switch exists := len(m.below(named)) > 0; {
				case exists && notYet[named]:
					t.Errorf("%s exists now: strike it from the list of packages still to be written", named)
				case !exists && !notYet[named]:
					t.Errorf("nothing in this module is or needs %s: was it renamed?", named)
				}
			}
			for _, p := range m.below(rule.from) {
				if route := m.route(p, rule.to); route != nil {
					t.Errorf("%s: %s", strings.Join(route, " → "), rule.because)
				}
			}
		})
	}
}

// TestRoutesAreFound holds the test above to what it must see: an import by way of another package
// of ours, and none that only another package of ours has.
func TestRoutesAreFound(t *testing.T) {
	m := module{
		"earshot/a":   {ImportPath: "earshot/a", Imports: []string{"fmt", "earshot/b"}},
		"earshot/b":   {ImportPath: "earshot/b", Imports: []string{"earshot/a", "earshot/c/d", "net/http"}},
		"earshot/c/d": {ImportPath: "earshot/c/d"},
	}
	for _, test := range []struct {
		to   string
		want []string
	}{
		{"earshot/c", []string{"earshot/a", "earshot/b", "earshot/c/d"}},
		{"earshot/c/d/e", nil},
		{"fmt", []string{"earshot/a", "fmt"}},
		{"net/http", nil},
	} {
		if diff := cmp.Diff(test.want, m.route(m["earshot/a"], test.to)); diff != "" {
			t.Errorf("the route from earshot/a to %s (-want +got):\n%s", test.to, diff)
		}
	}
}

// testLibraries are for tests alone. The package testing itself is not among them: OPA runs the tests of
// a policy with it, which pdp test does.
var testLibraries = []string{
	"testing/fstest", "testing/iotest", "testing/quick", "net/http/httptest",
	"github.com/google/go-cmp", "pgregory.net/rapid", "github.com/rogpeppe/go-internal",
	"github.com/getkin/kin-openapi", "github.com/chromedp", "github.com/transparency-dev/merkle",
}

// TestProgramHasNoTestLibrary looks at all that the program is made of, by whatever way it came in.
func TestProgramHasNoTestLibrary(t *testing.T) {
	needed := listModule(t).needs("earshot/cmd/pdp")
	if !needed["earshot/policy"] || !needed["os"] {
		t.Fatal("the program is made of nothing: was it renamed?")
	}
	for path := range needed {
		for _, library := range testLibraries {
			if within(path, library) {
				t.Errorf("the program needs %s, which is for tests", path)
			}
		}
	}
}

// TestNeedsAreFound holds the test above to what it must see: what is needed by way of others.
func TestNeedsAreFound(t *testing.T) {
	m := module{
		"a": {ImportPath: "a", Imports: []string{"b", "fmt"}},
		"b": {ImportPath: "b", Imports: []string{"a", "testing/fstest"}},
		"c": {ImportPath: "c", Imports: []string{"testing"}},
	}
	want := map[string]bool{"a": true, "b": true, "fmt": true, "testing/fstest": true}
	if diff := cmp.Diff(want, m.needs("a")); diff != "" {
		t.Errorf("what a needs (-want +got):\n%s", diff)
	}
}
