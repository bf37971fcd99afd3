package policytest_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"

	"earshot/policytest"
)

// bundleDir holds the bundle with its tests, as authors see it.
const bundleDir = "../policy/bundle"

// canaryAgent is the agent of the requests by which the engine tries a bundle when it loads it. A
// mutant that leaves them alone goes live, as the policy of somebody who means harm would.
const canaryAgent = "canary:agent"

// rule is one rule of a bundle that gives a reason code.
type rule struct {
	file string
	pkg  string // without the leading data.
	name string
	code string

	// The rule's body is text[begin:end] of the file.
	begin, end int
	braced     bool
}

// local reports whether the rule is one that authors add.
func (r rule) local() bool { return strings.HasPrefix(r.pkg, "local.") }

// ofHandoff reports whether the rule is a gate between agents, or what such a gate asks for.
func (r rule) ofHandoff() bool { return strings.HasPrefix(r.pkg, "earshot.handoff.") }

// reported returns the code as answers have it.
func (r rule) reported() string {
	if r.local() {
		return "local:" + r.code
	}
	return r.code
}

// readRules returns every rule of a bundle whose METADATA has a code, in the order of the files.
func readRules(t *testing.T, fsys fs.FS) []rule {
	t.Helper()
	var rules []rule
	walkRego(t, fsys, func(name, text string) {
		if strings.HasSuffix(name, "_test.rego") {
			return
		}
		module, err := ast.ParseModuleWithOpts(name, text, ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range module.Rules {
			code := codeOf(r)
			if code == "" {
				continue
			}
			source := string(r.Loc().Text)
			at := strings.Index(source, " if ")
			if at < 0 {
				t.Fatalf("%s:%d: a rule with the code %s has no condition", name, r.Loc().Row, code)
			}
			begin := r.Loc().Offset + at + len(" if ")
			rules = append(rules, rule{
				file:   name,
				pkg:    strings.TrimPrefix(module.Package.Path.String(), "data."),
				name:   r.Head.Name.String(),
				code:   code,
				begin:  begin,
				end:    r.Loc().Offset + len(source),
				braced: text[begin] == '{',
			})
		}
	})
	return rules
}

func codeOf(r *ast.Rule) string {
	for _, a := range r.Annotations {
		if code, ok := a.Custom["code"].(string); ok {
			return code
		}
	}
	return ""
}

// weaken returns the text of r's file in which the rule holds only where condition does as well.
func weaken(t *testing.T, fsys fs.FS, r rule, condition string) []byte {
	t.Helper()
	content, err := fs.ReadFile(fsys, r.file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	head, body, rest := text[:r.begin], text[r.begin:r.end], text[r.end:]
	if r.braced {
		body = body[1:]
	} else {
		body += "\n}"
	}
	return []byte(head + "{\n\t" + condition + "\n\t" + body + rest)
}

// replaced is policytest.Replace for tests.
func replaced(t *testing.T, fsys fs.FS, files map[string][]byte) fs.FS {
	t.Helper()
	out, err := policytest.Replace(fsys, files)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func walkRego(t *testing.T, fsys fs.FS, visit func(name, text string)) {
	t.Helper()
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".rego") {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err == nil {
			visit(name, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runRego runs the Rego tests of a bundle, as `opa test` does, and returns their results sorted by
// package and name, and the modules by file name. Coverage may be nil.
func runRego(t *testing.T, fsys fs.FS, coverage *cover.Cover) ([]*tester.Result, map[string]*ast.Module) {
	t.Helper()
	loader, err := bundle.NewFSLoader(fsys)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := bundle.NewCustomReader(loader).WithProcessAnnotations(true).WithRegoVersion(ast.RegoV1).Read()
	if err != nil {
		t.Fatal(err)
	}
	ctx, store, modules := t.Context(), inmem.NewFromObject(loaded.Data), loaded.ParsedModules("")
	runner := tester.NewRunner().
		SetStore(store).
		SetModules(modules).
		SetTimeout(2 * time.Minute).
		RaiseBuiltinErrors(true)
	if coverage != nil {
		runner = runner.SetCoverageQueryTracer(coverage)
	}

	var results []*tester.Result
	err = storage.Txn(ctx, store, storage.TransactionParams{}, func(txn storage.Transaction) error {
		ch, err := runner.RunTests(ctx, txn)
		if err != nil {
			return err
		}
		for result := range ch {
			results = append(results, result)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(results, func(a, b *tester.Result) int {
		return strings.Compare(a.Package+"."+a.Name, b.Package+"."+b.Name)
	})
	return results, modules
}

func authorsBundle() fs.FS { return os.DirFS(bundleDir) }
