package policy

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"
)

//go:embed all:bundle
var embeddedBundle embed.FS

//go:embed schemas
var embeddedSchemas embed.FS

// Bundle is the source of one policy: Rego modules and data, not yet compiled.
type Bundle struct {
	parsed   *bundle.Bundle
	revision string
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
	revision, err := digestFiles(fsys)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	parsed, err := readBundle(fsys, func(name string) bool { return !isTest(name) })
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	return &Bundle{parsed: parsed, revision: revision}, nil
}

// readBundle parses the files of a bundle whose name keep accepts.
func readBundle(fsys fs.FS, keep func(name string) bool) (*bundle.Bundle, error) {
	loader, err := bundle.NewFSLoader(fsys)
	if err != nil {
		return nil, err
	}
	loader = loader.WithFilter(func(name string, info os.FileInfo, _ int) bool {
		return !info.IsDir() && !keep(name)
	})
	parsed, err := bundle.NewCustomReader(loader).
		WithProcessAnnotations(true).
		WithRegoVersion(ast.RegoV1).
		Read()
	if all, ok := errors.AsType[ast.Errors](err); ok {
		err = describe(all)
	}
	return &parsed, err
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.rego") }

// isPolicyFile reports whether the bundle reader gives the file a meaning.
func isPolicyFile(name string) bool {
	switch base := path.Base(name); {
	case base == "data.json", base == "data.yaml", base == "data.yml", base == bundle.ManifestExt:
		return true
	default:
		return path.Ext(base) == bundle.RegoExt && !isTest(base)
	}
}

func digestFiles(fsys fs.FS) (string, error) {
	var lines []string
	modules := 0
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isPolicyFile(name) {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == bundle.RegoExt {
			modules++
		}
		sum := sha256.Sum256(content)
		lines = append(lines, hex.EncodeToString(sum[:])+"  "+name+"\n")
		return nil
	})
	if err != nil {
		return "", err
	}
	if modules == 0 {
		return "", errors.New("there is no Rego in it; give the folder that holds earshot/ and local/")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
