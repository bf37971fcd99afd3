package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// keyKind is the form of the value of a key in the configuration file, in the words of an error.
type keyKind string

const (
	kindSection keyKind = "a section of keys"
	kindList    keyKind = "a list"
	kindText    keyKind = "text; put it in quotes"
	kindTruth   keyKind = "true or false"
	kindWhole   keyKind = "a whole number of at least 1; leave it out for the default"
)

// configKeys are the keys of the configuration file. A part of a list has the key of the list and [].
func configKeys() map[string]keyKind {
	return map[string]keyKind{
		"":                        kindSection,
		"addr":                    kindText,
		"data":                    kindText,
		"policy":                  kindText,
		"insecure":                kindTruth,
		"log_format":              kindText,
		"log_level":               kindText,
		"receipt_key":             kindText,
		"log_key":                 kindText,
		"log":                     kindSection,
		"log.retention":           kindText,
		"log.holds":               kindList,
		"log.holds[]":             kindSection,
		"log.holds[].viewer":      kindText,
		"log.holds[].item":        kindText,
		"log.holds[].agent":       kindText,
		"log.holds[].channel":     kindText,
		"log.holds[].tenant":      kindText,
		"log.holds[].from":        kindText,
		"log.holds[].to":          kindText,
		"auth":                    kindSection,
		"auth.tokens":             kindList,
		"auth.tokens[]":           kindSection,
		"auth.tokens[].name":      kindText,
		"auth.tokens[].sha256":    kindText,
		"auth.tokens[].scopes":    kindList,
		"auth.tokens[].scopes[]":  kindText,
		"auth.tokens[].tenant":    kindText,
		"limits":                  kindSection,
		"limits.candidates":       kindWhole,
		"limits.audience_members": kindWhole,
		"limits.sources":          kindWhole,
		"limits.request_bytes":    kindWhole,
		"hosts":                   kindList,
		"hosts[]":                 kindText,
		"max_in_flight":           kindWhole,
		"max_body_bytes":          kindWhole,
	}
}

// formError is what is wrong in a line of the configuration file.
type formError struct {
	line    int
	problem string
}

func (e *formError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.problem) }

// form is where the keys of a configuration file stand.
type form struct {
	kinds map[string]keyKind
	lines map[string]int // by key, such as auth.tokens[0].sha256
}

// problem returns what is wrong with the value of a key. A key that is not there is a fault of the
// section that it belongs to.
func (f *form) problem(key, format string, args ...any) error {
	section := key
	for f.lines[section] == 0 && strings.Contains(section, ".") {
		section = section[:strings.LastIndex(section, ".")]
	}
	return &formError{f.lines[section], key + " " + fmt.Sprintf(format, args...)}
}

// checkForm checks that a configuration file has known keys only, each with a value of its form.
func checkForm(content []byte) (*form, error) {
	f := &form{kinds: configKeys(), lines: map[string]int{}}
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		return nil, err
	}
	// A file without a document, or with comments only, sets nothing.
	docs := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool {
		return d.Body == nil || d.Body.Type() == ast.CommentGroupType
	})
	switch len(docs) {
	case 0:
		return f, nil
	case 1:
		return f, f.check("", "", docs[0].Body)
	default:
		return nil, &formError{docs[1].GetToken().Position.Line, "begins a second document; the configuration is one"}
	}
}

// check checks the value of a key. The place of the key has the numbers of its parts of lists.
func (f *form) check(key, place string, node ast.Node) error {
	if f.lines[place] == 0 {
		f.lines[place] = node.GetToken().Position.Line
	}
	kind := f.kinds[key]
	if !hasKind(node, kind) {
		if place == "" {
			place = "the configuration"
		}
		return &formError{node.GetToken().Position.Line, place + " must be " + string(kind)}
	}
	switch node := node.(type) {
	case *ast.SequenceNode:
		for i, part := range node.Values {
			if err := f.check(key+"[]", fmt.Sprintf("%s[%d]", place, i), part); err != nil {
				return err
			}
		}
	case ast.MapNode:
		for entries := node.MapRange(); entries.Next(); {
			name := entries.Key().GetToken()
			below, at := strings.TrimPrefix(key+"."+name.Value, "."), strings.TrimPrefix(place+"."+name.Value, ".")
			if _, known := f.kinds[below]; !known {
				return &formError{name.Position.Line, fmt.Sprintf("there is no key %q; pdp serve --help lists them", at)}
			}
			f.lines[at] = name.Position.Line
			if err := f.check(below, at, entries.Value()); err != nil {
				return err
			}
		}
	}
	return nil
}

func hasKind(node ast.Node, kind keyKind) bool {
	switch kind {
	case kindSection:
		return node.Type() == ast.MappingType || node.Type() == ast.MappingValueType
	case kindList:
		return node.Type() == ast.SequenceType
	case kindText:
		return node.Type() == ast.StringType || node.Type() == ast.LiteralType
	case kindTruth:
		return node.Type() == ast.BoolType
	default:
		number, ok := node.(*ast.IntegerNode)
		if !ok {
			return false
		}
		value, ok := number.Value.(uint64) // A negative one is an int64.
		return ok && value > 0 && value <= 1<<31-1
	}
}
