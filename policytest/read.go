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

// ErrCase means that a case file is not fit to prove anything: it is not YAML, has a key that is
// not known, or asserts nothing. The message has file, line and reason.
var ErrCase = errors.New("case refused")

// caseEnding is that of a case file's name.
const caseEnding = ".yaml"

// Read reads every case below the root of fsys, sorted by name. Any other file there is an error,
// as is a tree without cases: a case that is passed over would count as held.
func Read(fsys fs.FS) ([]*Case, error) {
	var cases []*Case
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if path.Ext(name) != caseEnding || path.Dir(name) == "." {
			return fmt.Errorf("%w: %s:1: a case is a file topic/claim%s", ErrCase, name, caseEnding)
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		c, err := Parse(name, text)
		if err != nil {
			return err
		}
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("read cases: %w: there are none", ErrCase)
	}
	slices.SortFunc(cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, nil
}

// Parse reads the text of the case file called name. The error matches ErrCase.
func Parse(name string, text []byte) (*Case, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	c := &Case{Name: strings.TrimSuffix(name, caseEnding)}
	if err := decoder.Decode(c); err != nil {
		return nil, refuse(name, err)
	}
	// A decoder reads one document and leaves the rest unread without a word.
	var rest yaml.Node
	if err := decoder.Decode(&rest); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %s:%d: a second document begins; a case is one", ErrCase, name, rest.Line)
	}
	if where, problem := c.check(path.Base(c.Name)); problem != "" {
		return nil, fmt.Errorf("%w: %s:%d: %s", ErrCase, name, lineOf(text, where...), problem)
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
	default:
		return []byte(c.Raw), nil
	}
}
