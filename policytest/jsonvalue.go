package policytest

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
)

// checkJSON returns the line of what YAML can say and JSON cannot, and what is wrong with it; an empty
// problem means that nothing is. It looks at all of a case, since a part of it can be repeated in a
// body by its anchor.
func checkJSON(node *yaml.Node) (line int, problem string) {
	for key, value := range pairs(node) {
		switch {
		case !isName(key):
			return key.Line, fmt.Sprintf("%s is no text, and the names in JSON are; put it in quotes", shown(key))
		case key.ShortTag() == "!!merge" && value.Kind == yaml.ScalarNode:
			return key.Line, fmt.Sprintf("%s repeats a mapping, and this is none; name one with *", key.Value)
		}
	}
	if line, problem = checkNode(node); problem != "" {
		return line, problem
	}
	for _, child := range node.Content {
		if line, problem = checkJSON(child); problem != "" {
			return line, problem
		}
	}
	return 0, ""
}

// isName reports whether a key can be the name of a member of a JSON object. A time without quotes is
// the text it is, and a merge key is none of the members.
func isName(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode {
		return key.Kind == yaml.AliasNode && isName(key.Alias)
	}
	switch key.ShortTag() {
	case "!!str", "!!timestamp", "!!merge":
		return true
	default:
		return false
	}
}

// checkNode is checkJSON for a node alone. A tag that is written out can make anything of a value.
func checkNode(node *yaml.Node) (line int, problem string) {
	switch {
	case node.Style&yaml.TaggedStyle != 0:
		return node.Line, fmt.Sprintf("a case has no tags, and this is %s; leave it out", node.Tag)
	case node.Kind != yaml.ScalarNode || node.ShortTag() != "!!float":
		return 0, ""
	}
	var number float64
	if err := node.Decode(&number); err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return node.Line, fmt.Sprintf("%s is no number that JSON has; write another, or put it in quotes", node.Value)
	}
	return 0, ""
}

// shown returns a key as a message can show it.
func shown(key *yaml.Node) string {
	if key.Kind == yaml.ScalarNode {
		return key.Value
	}
	return "this key"
}
