package policytest_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modulePath is the name of this module.
const modulePath = "earshot"

// goPackage is one package as `go list` describes it.
type goPackage struct {
	ImportPath string
	Name       string
	Doc        string
	Imports    []string
}

// module is every package of this module and all that they need, by import path.
type module map[string]*goPackage

func listModule(t *testing.T) module {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Name,Doc,Imports", "./...")
	command.Dir = ".."
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	m := module{}
	for decoder := json.NewDecoder(out); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		m[p.ImportPath] = &p
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("go list: %v", err)
	}
	return m
}

// within reports whether path is the package or one below it.
func within(path, pkg string) bool { return path == pkg || strings.HasPrefix(path, pkg+"/") }

// below returns the packages that are pkg or below it, sorted.
func (m module) below(pkg string) []*goPackage {
	var out []*goPackage
	for path, p := range m {
		if within(path, pkg) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *goPackage) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return out
}

// route returns how p comes to import pkg or a package below it, as a chain of import paths; nil
// where it does not. Chains are followed through this module to packages of this module alone: what
// a package of ours knows of the outside is its own affair, so server may use policy, which knows
// OPA, without knowing OPA itself.
func (m module) route(p *goPackage, pkg string) []string {
	seen := map[string]bool{}
	var walk func(p *goPackage) []string
	walk = func(p *goPackage) []string {
		seen[p.ImportPath] = true
		for _, path := range p.Imports {
			if within(path, pkg) {
				return []string{p.ImportPath, path}
			}
		}
		if !within(pkg, modulePath) {
			return nil
		}
		for _, path := range p.Imports {
			if seen[path] || !within(path, modulePath) {
				continue
			}
			if rest := walk(m[path]); rest != nil {
				return append([]string{p.ImportPath}, rest...)
			}
		}
		return nil
	}
	return walk(p)
}

// needs returns path and all that it imports, by way of any package.
func (m module) needs(path string) map[string]bool {
	needed := map[string]bool{}
	var walk func(string)
	walk = func(path string) {
		if needed[path] {
			return
		}
		needed[path] = true
		if p := m[path]; p != nil {
			for _, imported := range p.Imports {
				walk(imported)
			}
		}
	}
	walk(path)
	return needed
}

// TestEveryPackageSaysWhatItPromises asks for a package comment.
func TestEveryPackageSaysWhatItPromises(t *testing.T) {
	packages := listModule(t).below(modulePath)
	if len(packages) == 0 {
		t.Fatal("the module has no packages")
	}
	for _, p := range packages {
		begins := "Package " + p.Name + " "
		if p.Name == "main" {
			begins = "Command "
		}
		if !strings.HasPrefix(p.Doc, begins) {
			t.Errorf("%s: the package comment is missing or does not begin with %q", p.ImportPath, begins)
		}
	}
}

// TestFilesStayShort stops files before they hold more than one thing.
func TestFilesStayShort(t *testing.T) {
	const most = 400
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if lines := strings.Count(string(text), "\n"); lines > most {
			t.Errorf("%s has %d lines, at most %d are allowed: split it by noun", path, lines, most)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("no Go file was found")
	}
}
