package policytest

import (
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// checkTimes returns the line of a time that is less than date, time and zone, and what is wrong with
// it; an empty problem means that none is. The times of a request are for the service to judge.
func checkTimes(document *yaml.Node) (line int, problem string) {
	for key, value := range pairs(document) {
		switch {
		case key.Value == "now":
			line, problem = checkTime(value)
		case key.Value == "world":
			line, problem = checkTimesOf(value)
		}
		if problem != "" {
			return line, problem
		}
	}
	return 0, ""
}

// checkTimesOf is checkTimes for a part of a world.
func checkTimesOf(node *yaml.Node) (line int, problem string) {
	for key, value := range pairs(node) {
		if key.Value == "at" || key.Value == "until" {
			if line, problem = checkTime(value); problem != "" {
				return line, problem
			}
		}
	}
	for _, child := range node.Content {
		if line, problem = checkTimesOf(child); problem != "" {
			return line, problem
		}
	}
	return 0, ""
}

func checkTime(node *yaml.Node) (line int, problem string) {
	if node.Kind != yaml.ScalarNode || node.ShortTag() == "!!null" { // Other checks say more.
		return 0, ""
	}
	if _, err := time.Parse(time.RFC3339Nano, node.Value); err != nil {
		return node.Line, "a time needs date, time and zone, such as 2026-11-30T20:00:01Z"
	}
	return 0, ""
}

// checkForm returns the line of what the decoder would read as something that the author did not
// write, and what is wrong with it; an empty problem means that nothing is. Bodies and settings are
// JSON, and null is a value there.
func checkForm(document *yaml.Node) (line int, problem string) {
	for key, value := range pairs(document) {
		if line, problem = checkValue(key, value); problem != "" {
			return line, problem
		}
		switch key.Value {
		case "request", "handoff", "settings":
			continue
		}
		if line, problem = checkValues(value); problem != "" {
			return line, problem
		}
		if key.Value == "want" {
			if line, problem = checkAdmits(value); problem != "" {
				return line, problem
			}
		}
	}
	return 0, ""
}

// checkValues refuses keys and places in lists without a value in a node and below it. A decoder
// passes the place in a list over, as if nothing stood there.
func checkValues(node *yaml.Node) (line int, problem string) {
	for key, value := range pairs(node) {
		if line, problem = checkValue(key, value); problem != "" {
			return line, problem
		}
	}
	for i, child := range node.Content {
		if node.Kind == yaml.SequenceNode && isNull(child) {
			return child.Line, fmt.Sprintf("place %d of this list has no value; give one, or leave the place out", i)
		}
	}
	for _, child := range node.Content {
		if line, problem = checkValues(child); problem != "" {
			return line, problem
		}
	}
	return 0, ""
}

func checkValue(key, value *yaml.Node) (line int, problem string) {
	if isNull(value) {
		return key.Line, fmt.Sprintf("%s has no value; give one, or leave the key out", key.Value)
	}
	return 0, ""
}

// isNull reports whether a node is null, itself or by an alias.
func isNull(node *yaml.Node) bool {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node.ShortTag() == "!!null"
}

// checkAdmits refuses a result that does not say whether it admits: it would be read as one that
// denies.
func checkAdmits(want *yaml.Node) (line int, problem string) {
	results, _ := child(want, "results", want.Line)
	if results == nil {
		return 0, ""
	}
	for i := range results.Content {
		result, at := child(results, strconv.Itoa(i), results.Line)
		if result == nil {
			continue
		}
		if admit, _ := child(result, "admit", at); admit == nil {
			return at, fmt.Sprintf("result %d has no admit: say true or false", i)
		}
	}
	return 0, ""
}
