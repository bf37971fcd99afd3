package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"earshot/policy"
	"earshot/policytest"
)

// casesFolder is where a policy folder has its cases.
const casesFolder = "cases"

// caseSet are the cases of a policy folder. Nil has none.
type caseSet struct {
	dir   string // of the cases
	cases []*policytest.Case

	// ownPolicy is set where the folder has Rego, which then decides the cases.
	ownPolicy bool
	policy    *policytest.Policy
}

// readCases reads the cases of a policy folder; nil where it has no folder for them.
func readCases(dir string) (*caseSet, error) {
	s := &caseSet{dir: filepath.Join(dir, casesFolder)}
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var err error
	if s.cases, err = policytest.Read(os.DirFS(s.dir)); err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, err)
	}
	if s.ownPolicy, err = hasRego(os.DirFS(dir)); err != nil {
		return nil, err
	}
	s.policy = policytest.NewPolicy(policy.EmbeddedFS())
	if s.ownPolicy {
		s.policy = policytest.NewPolicy(os.DirFS(dir))
	}
	return s, nil
}

// hasRego reports whether there is a policy in a folder.
func hasRego(fsys fs.FS) (bool, error) {
	found := false
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ".rego") {
			found = true
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// keep drops the cases whose name only does not match; nil keeps all.
func (s *caseSet) keep(only *regexp.Regexp) {
	if s == nil || only == nil {
		return
	}
	s.cases = slices.DeleteFunc(s.cases, func(c *policytest.Case) bool { return !only.MatchString(c.Name) })
}

// run holds every case and prints those that failed, or all of them.
func (s *caseSet) run(ctx context.Context, w io.Writer, verbose bool) (tally, error) {
	if s == nil {
		return tally{}, nil
	}
	t := tally{all: len(s.cases)}
	for _, c := range s.cases {
		diff, err := s.policy.Check(ctx, c)
		if errors.Is(err, policy.ErrBundle) || ctx.Err() != nil {
			return t, err
		}
		if err != nil {
			diff = err.Error()
		}
		file := filepath.Join(s.dir, filepath.FromSlash(c.Name)+".yaml")
		if diff == "" {
			if verbose {
				fmt.Fprintf(w, "%s: passed: %s\n", file, c.Claim)
			}
			continue
		}
		t.failed++
		fmt.Fprintf(w, "%s: failed: %s\n%s\n", file, c.Claim, strings.TrimSuffix(diff, "\n"))
	}
	return t, nil
}
