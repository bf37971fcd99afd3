package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
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
	if c.Request == nil {
		return []byte(c.Raw), nil
	}
	return json.Marshal(c.Request)
}

// check returns what is missing from the case and the keys that lead to the place; an empty problem
// means that nothing is.
func (c *Case) check(name string) (where []string, problem string) {
	w := &c.Want
	decided := w.Viewers != nil || len(w.Results) > 0 || w.Verdict != ""
	switch {
	case c.Claim == "":
		return nil, "claim is missing: say in one sentence what must hold"
	case snake(c.Claim) != name:
		return []string{"claim"}, fmt.Sprintf("the file of this claim is called %s%s", snake(c.Claim), caseEnding)
	case c.Why == "":
		return nil, "why is missing: say what goes wrong otherwise"
	case c.Now.IsZero():
		return nil, "now is missing: give the clock of the decision"
	case (c.Request == nil) == (c.Raw == ""):
		return nil, "give the body either as request or as raw"
	case w.Refused == nil && !decided:
		return []string{"want"}, "want asserts nothing: give refused, or viewers and results"
	case w.Refused != nil && decided:
		return []string{"want"}, "a refused request has neither viewers nor results nor a verdict"
	case w.Refused != nil && w.Refused.Code == "":
		return []string{"want", "refused"}, "refused has no code"
	case w.Refused != nil:
		return nil, ""
	case w.Viewers == nil || w.Viewers.Status == "":
		return []string{"want"}, "want has no viewers with a status"
	case w.Results == nil:
		return []string{"want"}, "want has no results; the answer to no candidates has an empty list"
	}
	for i := range w.Results {
		if len(w.Results[i].Reasons) == 0 {
			return []string{"want", "results"}, fmt.Sprintf("result %d has no reasons; every answer gives some", i)
		}
	}
	return nil, ""
}

// lineInMessage finds the line that the YAML reader puts into its messages.
var lineInMessage = regexp.MustCompile(`line (\d+): `)

// refuse turns an error of the YAML reader into one line that says where.
func refuse(name string, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %s:1: is empty", ErrCase, name)
	}
	message := err.Error()
	var types *yaml.TypeError
	if errors.As(err, &types) {
		message = types.Errors[0]
	}
	line := "1"
	if found := lineInMessage.FindStringSubmatchIndex(message); found != nil {
		line, message = message[found[2]:found[3]], message[found[1]:]
	}
	return fmt.Errorf("%w: %s:%s: %s", ErrCase, name, line, strings.TrimPrefix(message, "yaml: "))
}

// lineOf returns the line of the value that keys lead to, or of the last key on the way that the
// text has.
func lineOf(text []byte, keys ...string) int {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 {
		return 1
	}
	node, line := document.Content[0], 1
	for _, key := range keys {
		at := -1
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == key {
				at = i
			}
		}
		if node.Kind != yaml.MappingNode || at < 0 {
			break
		}
		node, line = node.Content[at+1], node.Content[at].Line
	}
	return line
}

// snake returns a sentence as a file name: its words in lower case, joined by underscores.
func snake(sentence string) string {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.ReplaceAll(strings.Join(words, "_"), "'", "")
}
