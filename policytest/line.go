package policytest

import (
	"iter"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// lineOf returns the line of the value that keys lead to, or of the last key on the way that the
// text has.
func lineOf(text []byte, keys ...string) int {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 {
		return 1
	}
	node, line := document.Content[0], 1
	for _, key := range keys {
		if node, line = child(node, key, line); node == nil {
			break
		}
	}
	return line
}

// child returns the value under a key of a mapping or at a position of a list, with its line; nil
// and the line so far where there is none.
func child(node *yaml.Node, key string, line int) (*yaml.Node, int) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind == yaml.SequenceNode {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(node.Content) {
			return nil, line
		}
		return node.Content[i], node.Content[i].Line
	}
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == key {
				return node.Content[i+1], node.Content[i].Line
			}
		}
	}
	return nil, line
}

// pairs are the keys of a mapping with their values, or those of the mapping that a document is.
// Anything else has none.
func pairs(node *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		if node.Kind == yaml.DocumentNode {
			node = node.Content[0]
		}
		if node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i], node.Content[i+1]) {
				return
			}
		}
	}
}
