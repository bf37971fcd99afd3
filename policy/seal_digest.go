package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// AudienceDigest returns "sha256:" and the SHA-256 in hex of an audience in canonical JSON (RFC 8785):
// an array of the members, sorted by bytes, for a list or for nobody; "public" or "tenant"; null where
// the audience is that of the sources.
func AudienceDigest(a Audience) string {
	return hexDigest(appendAudience(make([]byte, 0, 1024), a))
}

// SourcesDigest returns "sha256:" and the SHA-256 in hex of sources in canonical JSON (RFC 8785): an
// array with one object a source, nested ones after the one they belong to, as the decision point
// flattens them. The members of an object are agent, audience (as in AudienceDigest), confidential
// (null where it is not stated), expires_at (RFC 3339 in UTC, empty when absent), id and tenant. The
// state is left out: it changes, and what a caller says of it can only deny.
func SourcesDigest(sources []Source) string {
	if len(sources) == 0 {
		return hexDigest([]byte("[]"))
	}
	text := make([]byte, 0, 1024)
	text = append(text, '[')
	text = appendSources(text, sources)
	return hexDigest(append(text, ']'))
}

func hexDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func appendAudience(text []byte, a Audience) []byte {
	switch a.Kind {
	case AudiencePublic, AudienceTenant:
		return appendQuoted(text, a.Kind.String())
	case AudienceInherited:
		return append(text, "null"...)
	}
	text = append(text, '[')
	for i, member := range a.Members {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendQuoted(text, member)
	}
	return append(text, ']')
}

// appendSources writes the members of an object in the order of their names.
func appendSources(text []byte, sources []Source) []byte {
	for i := range sources {
		s := &sources[i]
		if text[len(text)-1] != '[' {
			text = append(text, ',')
		}
		text = appendQuoted(append(text, `{"agent":`...), s.Agent)
		text = appendAudience(append(text, `,"audience":`...), s.Audience)
		text = append(append(text, `,"confidential":`...), confidentialText(s.Confidential)...)
		text = appendQuoted(append(text, `,"expires_at":`...), instantText(s.ExpiresAt))
		text = appendQuoted(append(text, `,"id":`...), s.ID)
		text = append(appendQuoted(append(text, `,"tenant":`...), s.Tenant), '}')
		text = appendSources(text, s.Sources)
	}
	return text
}

func confidentialText(c Confidentiality) string {
	switch c {
	case Confidential:
		return "true"
	case NotConfidential:
		return "false"
	default:
		return "null"
	}
}

func instantText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// appendQuoted writes a string as RFC 8785 does, section 3.2.2.2. Names in normal form are valid UTF-8;
// of any other text the digest is of what UTF-8 there is in it, and the decision denies it anyway.
func appendQuoted(text []byte, s string) []byte {
	text, _ = jsontext.AppendQuote(text, s)
	return text
}
