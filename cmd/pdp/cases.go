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

	"earshot/policytest"
)

// casesFolder is where a policy folder has its cases.
const casesFolder = "cases"

// caseSet are the cases of a policy folder. Nil has none.
type caseSet struct {
	dir   string // of the cases
	cases []*policytest.Case

	// refused are the files that are not fit to be cases, with paths that can be opened.
	refused []*policytest.CaseError

	// ownPolicy is set where the folder has Rego, which then decides the cases.
	ownPolicy bool
	decider   policyFolder
	policy    *policytest.Policy
}

// readCases reads the cases of a policy folder; nil where it has none. The folder's own Rego decides
// them, or where it has none the given policy.
func readCases(dir string, given policyFolder) (*caseSet, error) {
	s := &caseSet{dir: filepath.Join(dir, casesFolder), decider: given}
	var err error
	if s.ownPolicy, err = hasRego(os.DirFS(dir)); err != nil {
		return nil, err
	}
	if s.ownPolicy {
		if given != "" && !sameFolder(dir, string(given)) {
			return nil, misuse{fmt.Errorf("%s has Rego of its own, which decides its cases; leave out --policy (EARSHOT_POLICY), which is %s", dir, given)}
		}
		s.decider = policyFolder(dir)
	}
	fsys, err := s.decider.fs()
	if err != nil {
		return nil, err
	}
	s.policy = policytest.NewPolicy(fsys)
	if err := s.read(dir); err != nil {
		return nil, err
	}
	if len(s.cases)+len(s.refused) == 0 {
		return nil, nil
	}
	return s, nil
}

// read reads the cases of a folder, and finds files in other places that could be meant as some.
func (s *caseSet) read(dir string) error {
	_, err := os.Stat(s.dir)
	exists := !errors.Is(err, fs.ErrNotExist)
	folder := policyFolder(dir)
	if !exists && !s.ownPolicy && inCasesFolder(dir) {
		parent := filepath.Join(dir, "..")
		return misuse{fmt.Errorf("%s has the cases of %s; run: pdp test %s", dir, parent, parent)}
	}
	if other, ok := folder.meant(); ok && !exists {
		return fmt.Errorf("there is no policy in %s\ndid you mean %s?", folder, other)
	}
	if s.refused, err = strayCases(dir); err != nil || !exists {
		return err
	}
	s.cases, err = policytest.Read(os.DirFS(s.dir))
	if refused, ok := errors.AsType[policytest.CaseErrors](err); ok {
		for _, wrong := range refused {
			s.refused = append(s.refused, s.opened(wrong))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.dir, err)
	}
	return nil
}

// opened returns a refusal with a path that can be opened.
func (s *caseSet) opened(wrong *policytest.CaseError) *policytest.CaseError {
	return &policytest.CaseError{
		File: filepath.Join(s.dir, filepath.FromSlash(wrong.File)), Line: wrong.Line, Problem: wrong.Problem,
	}
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(first, second)
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

// keep drops the cases whose name only does not match; nil keeps all. What is refused has the name that
// it would have as a case.
func (s *caseSet) keep(only *regexp.Regexp) {
	if s == nil || only == nil {
		return
	}
	s.cases = slices.DeleteFunc(s.cases, func(c *policytest.Case) bool { return !only.MatchString(c.Name) })
	s.refused = slices.DeleteFunc(s.refused, func(e *policytest.CaseError) bool { return !only.MatchString(s.nameOf(e)) })
}

// nameOf returns the name of a refused file below the folder of cases, or below that of the policy where
// it lies outside.
func (s *caseSet) nameOf(wrong *policytest.CaseError) string {
	name := filepath.ToSlash(wrong.File)
	for _, dir := range []string{s.dir, filepath.Dir(s.dir)} {
		if below, ok := strings.CutPrefix(name, filepath.ToSlash(dir)+"/"); ok {
			name = below
			break
		}
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// printRefused prints the files that are not fit to be cases. Each counts as a case that failed.
func (s *caseSet) printRefused(w io.Writer) tally {
	if s == nil {
		return tally{}
	}
	for _, wrong := range s.refused {
		fmt.Fprintf(w, "%s:%d: refused: %s\n", wrong.File, wrong.Line, wrong.Problem)
	}
	return tally{all: len(s.refused), failed: len(s.refused)}
}

// run holds every case and prints those that failed, or all of them. The error is about the policy.
func (s *caseSet) run(ctx context.Context, w io.Writer, verbose bool) (tally, error) {
	if s == nil || len(s.cases) == 0 {
		return tally{}, nil
	}
	if _, err := s.policy.Engine(ctx, nil); err != nil {
		return tally{}, s.decider.explain(err)
	}
	t := tally{all: len(s.cases)}
	for _, c := range s.cases {
		diff, err := s.policy.Check(ctx, c)
		if ctx.Err() != nil {
			return t, err
		}
		if wrong, ok := errors.AsType[*policytest.CaseError](err); ok {
			diff = policytest.Difference{Line: wrong.Line, Text: wrong.Problem}
		} else if err != nil {
			diff = policytest.Difference{Line: 1, Text: err.Error()}
		}
		file := filepath.Join(s.dir, filepath.FromSlash(c.Name)+".yaml")
		if diff.Holds() {
			if verbose {
				fmt.Fprintf(w, "%s: passed: %s\n", file, c.Claim)
			}
			continue
		}
		t.failed++
		fmt.Fprintf(w, "%s:%d: failed: %s\n%s\n", file, diff.Line, c.Claim, strings.TrimSuffix(diff.Text, "\n"))
	}
	return t, nil
}
