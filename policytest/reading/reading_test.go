package reading_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const judged = "earshot/policy"

// TestTheReadingCallsNothingItJudges asks the type checker what this package uses of the decision
// point: types, their fields and constants, and neither a function, a method nor a variable.
func TestTheReadingCallsNothingItJudges(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(text)
	}
	used, calls := usesOf(t, sources)
	if used == 0 {
		t.Errorf("the reading uses nothing of %s: was it renamed?", judged)
	}
	for _, call := range calls {
		t.Error(call)
	}
}

// TestCallsAreFound holds the test above to what it must see.
func TestCallsAreFound(t *testing.T) {
	_, calls := usesOf(t, map[string]string{"wrong.go": `package wrong

import p "earshot/policy"

type candidate struct{ p.Audience }

var a = p.Everybody()
var b = p.Audience{Kind: p.AudiencePublic}.Kind.String
var c = candidate{}.Kind.String()
var d = p.ErrBundle
var e = p.Verdict(p.StateLive)
`})
	want := []string{
		"wrong.go:7: uses func earshot/policy.Everybody() earshot/policy.Audience",
		"wrong.go:8: uses func (earshot/policy.AudienceKind).String() string",
		"wrong.go:9: uses func (earshot/policy.AudienceKind).String() string",
		"wrong.go:10: uses var earshot/policy.ErrBundle error",
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("the uses that are no types and constants (-want +got):\n%s", diff)
	}
}

// usesOf type-checks one package and counts what it uses of the judged one. Calls are the uses that
// share code with it, in the order of the text.
func usesOf(t *testing.T, sources map[string]string) (used int, calls []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range sources {
		file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exportData(t))}
	if _, err := config.Check("checked", fset, files, &info); err != nil {
		t.Fatal(err)
	}
	identifiers := make([]*ast.Ident, 0, len(info.Uses))
	for identifier := range info.Uses {
		identifiers = append(identifiers, identifier)
	}
	slices.SortFunc(identifiers, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	for _, identifier := range identifiers {
		object := info.Uses[identifier]
		if object.Pkg() == nil || object.Pkg().Path() != judged {
			continue
		}
		used++
		if shares(object) {
			at := fset.Position(identifier.Pos())
			calls = append(calls, fmt.Sprintf("%s:%d: uses %v", at.Filename, at.Line, object))
		}
	}
	return used, calls
}

// shares reports whether an object is code or state, and not a mere name for a value or its form.
func shares(object types.Object) bool {
	switch object := object.(type) {
	case *types.TypeName, *types.Const:
		return false
	case *types.Var:
		return !object.IsField()
	default:
		return true
	}
}

// exportData returns a look-up of what the compiler wrote about a package.
func exportData(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", ".")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, errors.New("no export data")
		}
		return os.Open(files[path])
	}
}
