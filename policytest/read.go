package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"earshot/policytest/world"
)

// caseEnding is that of a case file's name.
const caseEnding = ".yaml"

// Read reads every case below the root of fsys, sorted by name. A YAML file that is not fit to be a
// case is an error, as is a tree without cases: a case that is passed over would count as held. What
// does not end in .yaml or .yml is no case. Where the error is CaseErrors, the cases that are fit are
// returned with it.
func Read(fsys fs.FS) ([]*Case, error) {
	var cases []*Case
	var refused CaseErrors
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		c, err := readCase(fsys, name, entry)
		if wrong, ok := errors.AsType[*CaseError](err); ok {
			refused = append(refused, wrong)
			return nil
		}
		if c != nil {
			cases = append(cases, c)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	if len(cases)+len(refused) == 0 {
		return nil, fmt.Errorf("read cases: %w: there are none", ErrCase)
	}
	slices.SortFunc(cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	if refused != nil {
		return cases, refused
	}
	return cases, nil
}

// readCase reads one file; nil where it is no case.
func readCase(fsys fs.FS, name string, entry fs.DirEntry) (*Case, error) {
	ending := path.Ext(name)
	switch {
	case !IsYAML(name) && entry.Type()&fs.ModeSymlink != 0: // It may lead to a folder of cases.
		return nil, &CaseError{File: name, Line: 1, Problem: "a symbolic link is not followed; put the files themselves here"}
	case !IsYAML(name):
		return nil, nil
	case ending != caseEnding || path.Dir(name) == ".":
		return nil, &CaseError{File: name, Line: 1, Problem: "a case is a file topic/claim" + caseEnding}
	}
	if path.Base(name) == "data"+caseEnding {
		return nil, &CaseError{File: name, Line: 1, Problem: "a policy would take this file for its data; put the claim into a sentence"}
	}
	if special := entry.Type() &^ fs.ModeSymlink; !special.IsRegular() {
		return nil, &CaseError{File: name, Line: 1, Problem: "a case is a plain file; put one here"}
	}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// IsYAML reports whether a file is YAML by its name, and so could be meant as a case.
func IsYAML(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case caseEnding, ".yml":
		return true
	default:
		return false
	}
}

// Parse reads the text of the case file called name. The error is a *CaseError.
func Parse(name string, text []byte) (*Case, error) {
	refused := func(line int, problem string) error {
		return &CaseError{File: name, Line: line, Problem: problem}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, refuse(name, text, err)
	}
	// A decoder takes a day for its midnight, and says nothing of the line of what is no time.
	if line, problem := checkTimes(&document); problem != "" {
		return nil, refused(line, problem)
	}
	// It says nothing of the line of a key that no object has either.
	if line, problem := checkJSON(&document); problem != "" {
		return nil, refused(line, problem)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	c := &Case{Name: strings.TrimSuffix(name, caseEnding), text: text}
	if err := decoder.Decode(c); err != nil {
		return nil, refuse(name, text, err)
	}
	// A decoder reads one document and leaves the rest unread without a word.
	var rest yaml.Node
	if err := decoder.Decode(&rest); !errors.Is(err, io.EOF) {
		return nil, refused(rest.Line, "a second document begins; give each case a file of its own")
	}
	if line, problem := checkForm(&document); problem != "" {
		return nil, refused(line, problem)
	}
	if where, problem := c.check(path.Base(c.Name)); problem != "" {
		return nil, refused(lineOf(text, where...), problem)
	}
	if where, problem := c.Want.checkGiven(&document); problem != "" {
		return nil, refused(lineOf(text, where...), problem)
	}
	return c, nil
}

// Body returns the request as the bytes a caller posts.
func (c *Case) Body() ([]byte, error) {
	switch {
	case c.World != nil:
		w, err := world.Tell(*c.World, c.Now)
		if err != nil {
			return nil, err
		}
		return w.Body()
	case c.Request != nil:
		return json.Marshal(c.Request)
	case c.Handoff != nil:
		return json.Marshal(c.Handoff)
	default:
		return []byte(c.Raw), nil
	}
}
