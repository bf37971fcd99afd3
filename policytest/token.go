package policytest

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"earshot/policy"
)

// closed are the keys whose values are words of the contract or of a world, and no names.
var closed = regexp.MustCompile(`^(kind|state|lie|basis|audience_basis|viewers_basis)$`)

// named are the keys below which the keys of a mapping are names.
var named = regexp.MustCompile(`^(channels|grants|seals|inherit_from|private_to)$`)

// member finds what follows the name of a member in JSON.
var member = regexp.MustCompile(`^"\s*:`)

// names reports whether a part of a case holds s as a name, an id or a text, and not as a word of the
// format alone. The key leads to the part. Of a name that is too long to be one, its beginning will do: it
// may be cut on the way.
func names(key string, node *yaml.Node, s string) bool {
	switch node.Kind {
	case yaml.ScalarNode:
		word := closed.MatchString(key) || key == "audience" && (node.Value == "public" || node.Value == "tenant")
		return !word && (hasToken(node.Value, s) || len(node.Value) > policy.MaxName && strings.HasPrefix(node.Value, s))
	case yaml.SequenceNode:
		for _, child := range node.Content {
			if names(key, child, s) {
				return true
			}
		}
	}
	for name, value := range pairs(node) {
		if named.MatchString(key) && name.Value == s || names(name.Value, value, s) {
			return true
		}
	}
	return false
}

// hasToken reports whether text holds s with nothing before or after it that could be a part of a longer
// name, and not as the name of a member of a JSON object.
func hasToken(text, s string) bool {
	for at := 0; s != ""; {
		found := strings.Index(text[at:], s)
		if found < 0 {
			return false
		}
		start, end := at+found, at+found+len(s)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		whole := (start == 0 || !inName(before)) && (end == len(text) || !inName(after))
		if whole && !member.MatchString(text[end:]) {
			return true
		}
		at = start + 1
	}
	return false
}

// inName reports whether a character can stand in a name and so makes a longer one of it.
func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.:@%/", r)
}
