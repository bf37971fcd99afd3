package policytest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// checkAbsent returns the place of a text that must be absent and what is wrong with it: one that the
// case holds nowhere would be absent from every answer. An empty problem means that nothing is.
func (w *Want) checkAbsent(document *yaml.Node) (where []string, problem string) {
	lists := []struct {
		where  []string
		absent []string
	}{{[]string{"want", "absent"}, w.Absent}}
	if w.Recorded != nil {
		lists = append(lists, struct{ where, absent []string }{[]string{"want", "recorded", "absent"}, w.Recorded.Absent})
	}
	for _, list := range lists {
		for i, s := range list.absent {
			if !given(document, s) {
				return append(list.where, strconv.Itoa(i)), fmt.Sprintf("%s is nowhere in this case, so that it is absent says nothing", s)
			}
		}
	}
	return nil, ""
}

// given reports whether a case holds a text in what the service is given.
func given(document *yaml.Node, s string) bool {
	for key, value := range pairs(document) {
		switch key.Value {
		case "world", "request", "raw", "facts", "settings":
			if holds(value, s) {
				return true
			}
		}
	}
	return false
}

func holds(node *yaml.Node, s string) bool {
	return node.Kind == yaml.ScalarNode && strings.Contains(node.Value, s) ||
		slices.ContainsFunc(node.Content, func(child *yaml.Node) bool { return holds(child, s) })
}
