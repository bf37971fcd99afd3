package reading

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"earshot/policy"
)

// formForbids are the rules about a candidate's form, by code. They hold whether its labels can be
// believed or not; of a candidate that is malformed, they are the only ones.
var formForbids = map[string]func(matter) bool{
	"malformed":     func(m matter) bool { return malformed(m.candidate) },
	"unknown_field": func(m matter) bool { return unknownField(m.candidate) },
}

// digestForm is how a digest is written.
var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func unknownField(c policy.Candidate) bool { return hasFault(c, policy.CodeUnknownField) }

// malformed reports whether a decoder found the candidate malformed, or whether a name in it has no
// form that a name can have.
func malformed(c policy.Candidate) bool {
	switch {
	case hasFault(c, policy.CodeMalformed):
		return true
	case !isID(c.ID), !isAudience(c.Audience), !isPrincipalOrAbsent(c.Agent), !isKind(c.Kind):
		return true
	case !isDigestOrAbsent(c.Digest), !isObjectOrAbsent(c.Attributes):
		return true
	}
	for _, label := range []string{c.AudienceBasis, c.Tenant, c.Channel, c.State, c.Store} {
		if !isLabelOrAbsent(label) {
			return true
		}
	}
	for _, source := range everySource(c.Sources) {
		if !isLabelOrAbsent(source.Tenant) || !isLabelOrAbsent(source.State) {
			return true
		}
		if !isIDOrAbsent(source.ID) || !isAudience(source.Audience) || !isPrincipalOrAbsent(source.Agent) {
			return true
		}
	}
	return false
}

func hasFault(c policy.Candidate, code string) bool {
	for _, fault := range c.Faults {
		if fault.Code == code {
			return true
		}
	}
	return false
}

// longestID is how long an id may be, in bytes.
const longestID = 256

// isID: 1 to 256 bytes of UTF-8 in normal form C, no white space, no control or format characters.
func isID(s string) bool {
	return isText(s, longestID) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.White_Space, unicode.Z)
	})
}

// isLabelOrAbsent: 1 to 1024 bytes of UTF-8 in normal form C, no control or format characters.
func isLabelOrAbsent(s string) bool { return s == "" || isText(s, 1024) }

func isText(s string, longest int) bool {
	if s == "" || len(s) > longest || !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) })
}

func isIDOrAbsent(s string) bool { return s == "" || isID(s) }

// isPrincipal: an id that is none of the words that stand for an audience.
func isPrincipal(s string) bool { return isID(s) && s != "*" && s != "public" && s != "tenant" }

func isPrincipalOrAbsent(s string) bool { return s == "" || isPrincipal(s) }

func isAudience(a policy.Audience) bool {
	if a.Kind != policy.AudienceList {
		return true
	}
	for _, name := range a.Members {
		if !isPrincipal(name) {
			return false
		}
	}
	return true
}

func isKind(s string) bool {
	switch s {
	case "message", "fact", "document", "tool_result", "directive", "prior", "summary", "node", "edge":
		return true
	}
	return false
}

func isDigestOrAbsent(s string) bool {
	return s == "" || digestForm.MatchString(s)
}

func isObjectOrAbsent(text json.RawMessage) bool {
	if len(text) == 0 {
		return true
	}
	var object map[string]any
	return json.Unmarshal(text, &object) == nil && object != nil
}
