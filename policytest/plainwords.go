package policytest

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"earshot/policytest/world"
)

// The messages of the YAML reader that speak of Go types.
var (
	unknownKey = regexp.MustCompile(`(?s)^field (.*) not found in type (\S+)$`)
	keyTwice   = regexp.MustCompile(`(?s)^mapping key (.*) already defined at line (\d+)$`)
	wrongValue = regexp.MustCompile("(?s)^cannot unmarshal !!(\\S+)(?: `(.*)`)? into (.+)$")
)

// plainWords returns a message of the YAML reader in the words of a case file.
func plainWords(message string) string {
	if found := unknownKey.FindStringSubmatch(message); found != nil {
		part, ok := parts()[found[2]]
		if !ok {
			return found[1] + " is not a key here"
		}
		return fmt.Sprintf("%s is not a key of %s; known are %s", found[1], part.name, strings.Join(keysOf(part.shape), ", "))
	}
	if found := keyTwice.FindStringSubmatch(message); found != nil {
		return fmt.Sprintf("%s stands here again, after line %s; keep one", found[1], found[2])
	}
	if found := wrongValue.FindStringSubmatch(message); found != nil {
		return fmt.Sprintf("%s stands where %s belongs%s", valueOf(found[1], found[2]), shapeOf(found[3]), remedy(found[1], found[2], shapeOf(found[3])))
	}
	return message
}

// part is a mapping in a case file.
type part struct {
	name  string
	shape reflect.Type
}

// parts returns the mappings of a case file by the names of their Go types.
func parts() map[string]part {
	out := map[string]part{}
	for _, p := range []part{
		{"a case", reflect.TypeFor[Case]()},
		{"facts", reflect.TypeFor[Facts]()},
		{"a roster", reflect.TypeFor[Roster]()},
		{"want", reflect.TypeFor[Want]()},
		{"refused", reflect.TypeFor[Refusal]()},
		{"viewers", reflect.TypeFor[Viewers]()},
		{"a result", reflect.TypeFor[Result]()},
		{"recorded", reflect.TypeFor[Recorded]()},
		{"a world", reflect.TypeFor[world.Story]()},
		{"a channel", reflect.TypeFor[world.Channel]()},
		{"an event", reflect.TypeFor[world.Event]()},
		{"here_now", reflect.TypeFor[world.Here]()},
		{"a reading", reflect.TypeFor[world.Reading]()},
	} {
		out[p.shape.String()] = p
	}
	return out
}

// keysOf returns the keys of a mapping in the order of its Go type.
func keysOf(shape reflect.Type) []string {
	var keys []string
	for field := range shape.Fields() {
		switch key, option, _ := strings.Cut(field.Tag.Get("yaml"), ","); {
		case option == "inline":
			keys = append(keys, keysOf(field.Type)...)
		case key != "" && key != "-":
			keys = append(keys, key)
		}
	}
	return keys
}

// valueOf names what a file has, by its YAML tag; scalars by their text.
func valueOf(tag, text string) string {
	switch {
	case tag == "seq":
		return "a list"
	case tag == "map":
		return "a mapping"
	default:
		return text
	}
}

// shapeOf names what a Go type reads.
func shapeOf(typ string) string {
	if p, ok := parts()[typ]; ok {
		return p.name
	}
	switch {
	case typ == "bool":
		return "true or false"
	case typ == "time.Time":
		return "a time"
	case strings.HasPrefix(typ, "[]"), typ == reflect.TypeFor[world.Names]().String():
		return "a list"
	case strings.HasPrefix(typ, "map["):
		return "a mapping"
	default:
		return "text"
	}
}

// remedy says how to write what belongs to a place, where it can be said; it begins with a semicolon.
func remedy(tag, text, shape string) string {
	switch {
	case shape == "true or false" && (text == "true" || text == "false"):
		return "; leave out the quotes"
	case shape == "a list" && tag != "map":
		return "; write [" + text + "]"
	case shape == "a list":
		return "; begin each of its places with -"
	case tag == "seq" && (shape == "text" || shape == "a time" || shape == "true or false"):
		return "; write one value, without [ ] and without -"
	case tag == "map" && (shape == "text" || shape == "a time" || shape == "true or false"):
		return "; write one value, without { } and without keys"
	case tag == "seq":
		return "; write {key: value}, or a key on each line, without [ ] and without -"
	default:
		return ""
	}
}
