package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"earshot/policytest"
)

// strayCases are the YAML files of a policy folder outside its folder of cases: nothing would run
// them. Hidden files, and the data files of a policy, are no cases.
func strayCases(dir string) ([]*policytest.CaseError, error) {
	var strays []*policytest.CaseError
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		hidden := name != "." && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || name == casesFolder):
			return fs.SkipDir
		case entry.IsDir(), hidden, !policytest.IsYAML(name), entry.Name() == "data.yaml", entry.Name() == "data.yml":
			return nil
		}
		strays = append(strays, &policytest.CaseError{
			File: filepath.Join(dir, filepath.FromSlash(name)), Line: 1,
			Problem: fmt.Sprintf("a case belongs in %s/<topic>/", filepath.Join(dir, casesFolder)),
		})
		return nil
	})
	return strays, err
}

// inCasesFolder reports whether a folder is itself one of cases, by its name.
func inCasesFolder(dir string) bool {
	path, err := filepath.Abs(dir)
	return err == nil && filepath.Base(path) == casesFolder
}
