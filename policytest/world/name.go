package world

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName is the longest name of a person, an agent or an item in the wire contract, in bytes.
const maxName = 256

// noName says why nobody can be called name, after the wire contract; empty where somebody can.
func noName(name string) string {
	switch name {
	case "*", "public", "tenant":
		return "names an audience, and nobody is called that"
	}
	return noID(name)
}

// noID says why no item can be called id, after the wire contract; empty where one can.
func noID(id string) string {
	switch {
	case id == "":
		return "is empty"
	case len(id) > maxName:
		return "is longer than 256 bytes"
	case !utf8.ValidString(id) || !norm.NFC.IsNormalString(id):
		return "is not UTF-8 in normal form C"
	}
	for _, r := range id {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf) {
			return "has white space, or a control or format character"
		}
	}
	return ""
}
