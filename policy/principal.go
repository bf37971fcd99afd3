package policy

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the longest principal or item id, in bytes.
const MaxName = 256

// MaxLabel is the longest free label of a caller (turn id, channel, tenant, kind …), in bytes.
const MaxLabel = 1024

// Words that stand for an audience and therefore name nobody.
const (
	wordPublic = "public"
	wordTenant = "tenant"
	wordAny    = "*"
)

// CheckPrincipal returns nil if s can name a participant: 1–256 bytes of UTF-8 in Unicode normal
// form C, without white space, control or format characters, and none of the words "*", "public"
// and "tenant". The error is a sentence fragment that fits after "viewer: ". Names are opaque and
// compared byte for byte, so what is refused here could never match what it seems to be.
func CheckPrincipal(s string) error {
	switch s {
	case wordAny, wordPublic, wordTenant:
		return fmt.Errorf("%q names an audience, not a principal", s)
	}
	return CheckName(s)
}

// CheckName returns nil if s can be the id of an item: the form of a principal, without the
// reserved words.
func CheckName(s string) error {
	if len(s) <= MaxName && isPlain(s) {
		return nil
	}
	if err := checkText(s, MaxName); err != nil {
		return err
	}
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.Is(unicode.Z, r) {
			return fmt.Errorf("must not contain white space (%U)", r)
		}
	}
	return nil
}

// CheckLabel returns nil if s can be a caller's own name for a thing (turn, channel, tenant, store,
// kind, state, basis): 1–1024 bytes of UTF-8 in normal form C without control or format characters.
func CheckLabel(s string) error { return checkText(s, MaxLabel) }

// isPlain reports whether s is one or more printable ASCII characters without the space, for which
// every rule of a name holds. Nearly all names are; the general check costs ten times as much.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

func checkText(s string, most int) error {
	switch {
	case s == "":
		return fmt.Errorf("must not be empty")
	case len(s) > most:
		return fmt.Errorf("is %d bytes long, at most %d are allowed", len(s), most)
	case !utf8.ValidString(s):
		return fmt.Errorf("must be valid UTF-8")
	case !norm.NFC.IsNormalString(s):
		return fmt.Errorf("must be in Unicode normal form C")
	}
	for _, r := range s {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) {
			return fmt.Errorf("must not contain control or format characters (%U)", r)
		}
	}
	return nil
}
