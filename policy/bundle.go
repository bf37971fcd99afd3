package policy

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
	"golang.org/x/tools/txtar"
)

//go:embed all:bundle
var embeddedBundle embed.FS

//go:embed schemas
var embeddedSchemas embed.FS

// Bundle is the source of one policy: Rego modules and data, not yet compiled.
type Bundle struct {
	parsed   *bundle.Bundle
	revision string
	archive  []byte
}

// Revision returns the digest of the bundle: "sha256:" and the SHA-256 in hex of the text that
// sha256sum prints for its files, sorted by path. Tests do not count, since they decide nothing.
func (b *Bundle) Revision() string { return b.revision }

// EmbeddedFS returns the files of the bundle that ships with the program.
func EmbeddedFS() fs.FS {
	sub, err := fs.Sub(embeddedBundle, "bundle")
	if err != nil {
		panic(err) // The name is a constant of this file.
	}
	return sub
}

// EmbeddedBundle returns the bundle that ships with the program. Its error matches ErrBundle.
func EmbeddedBundle() (*Bundle, error) { return BundleFromFS(EmbeddedFS()) }

// BundleFromDir reads a bundle from a folder on disk. Its error matches ErrBundle.
func BundleFromDir(dir string) (*Bundle, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; give the folder that holds earshot/ and local/", ErrBundle, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is not a folder; give the folder that holds earshot/ and local/", ErrBundle, dir)
	}
	return BundleFromFS(os.DirFS(dir))
}

// BundleFromFS reads a bundle from the root of a file system. Its error matches ErrBundle.
func BundleFromFS(fsys fs.FS) (*Bundle, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	files = slices.DeleteFunc(files, func(f txtar.File) bool { return isTest(f.Name) })
	parsed, err := parse(files)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	archive, err := archiveOf(files)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	return &Bundle{parsed: parsed, revision: digestOf(files), archive: archive}, nil
}

// readFiles reads the files that mean something to OPA's bundle loader, once, sorted by path. It
// refuses what the loader would pass over without a word: a rule that is passed over forbids
// nothing.
func readFiles(fsys fs.FS) ([]txtar.File, error) {
	var files []txtar.File
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is a link or a special file, which is not followed; put a copy in its place", name)
		case !isPolicyFile(name):
			return nil
		}
		content, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".json" {
			// OPA takes the last of two equal names, so that a setting could be given twice.
			var strict any
			if err := json.Unmarshal(content, &strict); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		files = append(files, txtar.File{Name: name, Data: content})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// isPolicyFile reports whether the bundle loader gives the file a meaning.
func isPolicyFile(name string) bool {
	switch base := path.Base(name); base {
	case "data.json", "data.yaml", "data.yml", bundle.ManifestExt:
		return true
	default:
		return path.Ext(base) == bundle.RegoExt
	}
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.rego") }

// parse parses files as a bundle.
func parse(files []txtar.File) (*bundle.Bundle, error) {
	if !slices.ContainsFunc(files, func(f txtar.File) bool { return path.Ext(f.Name) == bundle.RegoExt }) {
		return nil, errors.New("there is no Rego in it; give the folder that holds earshot/ and local/")
	}
	// An archive is the file system in memory that the loader wants.
	memory, err := txtar.FS(&txtar.Archive{Files: files})
	if err != nil {
		return nil, err
	}
	loader, err := bundle.NewFSLoader(memory)
	if err != nil {
		return nil, err
	}
	parsed, err := bundle.NewCustomReader(loader).
		WithProcessAnnotations(true).
		WithRegoVersion(ast.RegoV1).
		Read()
	if all, ok := errors.AsType[ast.Errors](err); ok {
		err = describe(all)
	}
	return &parsed, err
}

// digestOf returns what Bundle.Revision documents.
func digestOf(files []txtar.File) string {
	all := sha256.New()
	for _, f := range files {
		fmt.Fprintf(all, "%x  %s\n", sha256.Sum256(f.Data), f.Name)
	}
	return fmt.Sprintf("sha256:%x", all.Sum(nil))
}
