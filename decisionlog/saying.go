package decisionlog

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// says reports whether a text contains the name: as it stands, in the strings of a JSON text, or in a
// signed token (RFC 7515, compact form).
func (t *traces) says(text string) bool {
	if containsName(text, t.name) {
		return true
	}
	// Escapes can hide the name in JSON alone.
	if strings.Contains(text, `\`) {
		var value any
		if json.Unmarshal([]byte(text), &value) == nil && t.inJSON(value) {
			return true
		}
	}
	if claims, ok := tokenText(text); ok {
		return t.says(claims)
	}
	return false
}

func (t *traces) inJSON(value any) bool {
	switch value := value.(type) {
	case string:
		return containsName(value, t.name)
	case []any:
		for _, part := range value {
			if t.inJSON(part) {
				return true
			}
		}
	case map[string]any:
		for name, part := range value {
			if containsName(name, t.name) || t.inJSON(part) {
				return true
			}
		}
	}
	return false
}

// saysDigest reports whether a text, or the token that it is, contains a digest that can be compared with
// guesses of the name.
func (t *traces) saysDigest(text string) bool {
	if len(t.digests) == 0 {
		return false
	}
	run := 0 // of hex digits that end here
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isHexDigit(text[i]) {
			run++
			continue
		}
		if run == digestDigits && t.digests[text[i-digestDigits:i]] {
			return true
		}
		run = 0
	}
	if claims, ok := tokenText(text); ok {
		return t.saysDigest(claims)
	}
	return false
}

// digestDigits is the length of a SHA-256 in hex.
const digestDigits = 64

// hexOf returns the digits of a digest, with or without its prefix; nothing where text is none.
func hexOf(text string) string {
	digits := strings.TrimPrefix(text, digestPrefix)
	if len(digits) != digestDigits || strings.ContainsFunc(digits, func(r rune) bool { return r > 'f' || !isHexDigit(byte(r)) }) {
		return ""
	}
	return digits
}

func isHexDigit(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// containsName reports whether name stands in text as a whole: what goes on before or behind it with a
// letter, a digit or a sign that joins them is the name of somebody else.
func containsName(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if !joins(text[:from], true) && !joins(text[to:], false) {
			return true
		}
		at = from + 1
	}
}

// joins reports whether the text before a name, or behind it, makes it a part of a longer one.
func joins(text string, before bool) bool {
	if text == "" {
		return false
	}
	c := text[0]
	rest := text[1:]
	if before {
		c, rest = text[len(text)-1], text[:len(text)-1]
	}
	switch {
	case isWord(c):
		return true
	case c == '.' || c == '-' || c == '+' || c == '@':
		// A full stop ends a sentence as well.
		return rest != "" && (before && isWord(rest[len(rest)-1]) || !before && isWord(rest[0]))
	}
	return false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= utf8.RuneSelf
}

// tokenText returns what a signed token in compact form says.
func tokenText(text string) (string, bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || !strings.HasPrefix(text, "eyJ") {
		return "", false
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	return string(claims), err == nil && len(claims) > 0
}

// envelopeText returns the statement in a DSSE envelope.
func envelopeText(envelope []byte) (string, error) {
	var wire struct {
		Payload []byte `json:"payload"`
	}
	if err := json.Unmarshal(envelope, &wire); err != nil {
		return "", fmt.Errorf("the envelope does not parse: %w", err)
	}
	return string(wire.Payload), nil
}
