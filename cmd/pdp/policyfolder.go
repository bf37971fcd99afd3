package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"earshot/policy"
)

// policyFlag is the flag of every command that needs a policy.
type policyFlag struct {
	Policy string `placeholder:"DIR" help:"Policy folder that replaces the built-in policy."`
}

// policyFolder is where the policy of a command comes from; empty is the built-in policy.
type policyFolder string

// String names the policy in a sentence.
func (f policyFolder) String() string {
	if f == "" {
		return "the built-in policy"
	}
	return string(f)
}

// origin is what stands in parentheses behind the revision.
func (f policyFolder) origin() string {
	if f == "" {
		return "built in"
	}
	return string(f)
}

// fs returns the files of the policy. That there is no such folder is the caller's error.
func (f policyFolder) fs() (fs.FS, error) {
	if f == "" {
		return policy.EmbeddedFS(), nil
	}
	const advice = "give the folder that holds earshot/ and local/"
	info, err := os.Stat(string(f))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, misuse{fmt.Errorf("there is no policy folder %s; %s", f, advice)}
	case err != nil:
		return nil, misuse{fmt.Errorf("the policy folder: %w; %s", err, advice)}
	case !info.IsDir():
		return nil, misuse{fmt.Errorf("%s is not a folder; %s", f, advice)}
	}
	return os.DirFS(string(f)), nil
}

// bundle reads the policy.
func (f policyFolder) bundle() (*policy.Bundle, error) {
	fsys, err := f.fs()
	if err != nil {
		return nil, err
	}
	bundle, err := policy.BundleFromFS(fsys)
	if err != nil {
		return nil, f.explain(err)
	}
	return bundle, nil
}

// open compiles the policy and checks it.
func (f policyFolder) open(ctx context.Context) (*policy.Engine, error) {
	bundle, err := f.bundle()
	if err != nil {
		return nil, err
	}
	engine, err := policy.NewEngine(ctx, bundle)
	if err != nil {
		return nil, f.explain(err)
	}
	return engine, nil
}

// openPolicy compiles the policy in a folder, or the one that is built in where dir is empty.
func openPolicy(ctx context.Context, dir string) (*policy.Engine, error) {
	return policyFolder(dir).open(ctx)
}

// explain adds to an error of the policy what its author should do.
func (f policyFolder) explain(err error) error {
	if !errors.Is(err, policy.ErrBundle) {
		return err
	}
	if f == "" {
		return fmt.Errorf("%w\nthis is a fault of the program", err)
	}
	if other, ok := f.meant(); ok {
		return fmt.Errorf("%w: there is no policy in %s\ndid you mean %s?", policy.ErrBundle, f, other)
	}
	var hints strings.Builder
	for _, known := range []struct{ problem, hint string }{
		{
			"undefined ref: rego.metadata.rule().custom.code",
			"the rule needs a METADATA comment with custom.code right above it",
		},
		{
			"] do not permit ",
			"rules of your own belong into package local.NAME, in the folder local/NAME/",
		},
	} {
		if strings.Contains(err.Error(), known.problem) {
			hints.WriteString(known.hint + "\n")
		}
	}
	return fmt.Errorf("%w\n%scorrect it in %s and run: pdp check %s", err, hints.String(), f, f)
}

// meant looks for a policy right below or right above a folder that is none.
func (f policyFolder) meant() (string, bool) {
	if f == "" || isPolicy(string(f)) {
		return "", false
	}
	candidates := []string{filepath.Dir(filepath.Clean(string(f)))}
	entries, err := os.ReadDir(string(f))
	if err != nil { // There is nothing to propose in a folder that cannot be read.
		return "", false
	}
	for _, entry := range entries {
		candidates = append(candidates, filepath.Join(string(f), entry.Name()))
	}
	for _, dir := range candidates {
		if isPolicy(dir) {
			return dir, true
		}
	}
	return "", false
}

// isPolicy reports whether a folder holds a whole policy.
func isPolicy(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "earshot", "decision.rego"))
	return err == nil
}
