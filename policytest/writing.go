package policytest

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// number is one as JSON writes it (RFC 8259, section 6).
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// truths are the words that some readers of YAML take for true or false, and others for text.
var truths = regexp.MustCompile(`^(?i:y|yes|on|true|n|no|off|false)$`)

// checkWriting returns the line of what could be read in two ways, and what to write in its place; an
// empty problem means that nothing is. A case says what it means where it stands: anchors could bring
// in keys and values from elsewhere, past the checks of the place.
func checkWriting(node *yaml.Node) (line int, problem string) {
	switch {
	case node.Anchor != "":
		return node.Line, fmt.Sprintf("a case repeats nothing by a name, and &%s is one; leave it out, and write out what is meant to repeat it", node.Anchor)
	case node.Kind == yaml.AliasNode:
		return node.Line, fmt.Sprintf("a case repeats nothing by a name, and *%s is one; write it out", node.Value)
	}
	for key := range pairs(node) {
		if key.ShortTag() == "!!merge" {
			return key.Line, "<< would bring in keys from elsewhere; write them out"
		}
	}
	for i, child := range node.Content {
		if isKey := node.Kind == yaml.MappingNode && i%2 == 0; !isKey {
			if problem := checkPlain(child); problem != "" {
				return child.Line, problem
			}
		}
		if line, problem = checkWriting(child); problem != "" {
			return line, problem
		}
	}
	return 0, ""
}

// checkPlain is checkWriting for a value without quotes.
func checkPlain(node *yaml.Node) (problem string) {
	if node.Kind != yaml.ScalarNode || node.Style != 0 {
		return ""
	}
	switch tag := node.ShortTag(); {
	case truths.MatchString(node.Value) && node.Value != "true" && node.Value != "false":
		return fmt.Sprintf("%s can be read as a truth or as a text; write true or false, or put it in quotes", node.Value)
	case tag == "!!int" && !number.MatchString(node.Value), tag == "!!float" && !number.MatchString(node.Value) && !isNoNumber(node.Value):
		return fmt.Sprintf("%s can be read as more than one number; write it as JSON does, such as 10 or 0.5, or put it in quotes", node.Value)
	}
	return ""
}

// isNoNumber reports whether a value is an infinity or no number at all, which JSON cannot say.
func isNoNumber(value string) bool {
	switch strings.ToLower(strings.TrimLeft(value, "+-")) {
	case ".inf", ".nan":
		return true
	default:
		return false
	}
}

// checkEmpty returns the line of an empty text in a world or in what a case wants, and what is wrong
// with it. An empty text is read as one that is not given. The id of a result can be empty, and so can
// the pointer of a refusal.
func checkEmpty(key string, node *yaml.Node) (line int, problem string) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Value == "" && node.ShortTag() == "!!str":
		return node.Line, fmt.Sprintf("%s has an empty text; give one that says something, or leave it out", key)
	case node.Kind == yaml.SequenceNode && key != "admitted" && key != "denied":
		for _, child := range node.Content {
			if line, problem = checkEmpty(key, child); problem != "" {
				return line, problem
			}
		}
	}
	for key, value := range pairs(node) {
		if key.Value == "id" || key.Value == "pointer" {
			continue
		}
		if line, problem = checkEmpty(key.Value, value); problem != "" {
			return line, problem
		}
	}
	return 0, ""
}
