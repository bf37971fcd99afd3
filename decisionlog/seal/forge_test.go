package seal_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// claimsOf returns the claims of a seal as a JSON object.
func claimsOf(t testing.TB, text string) map[string]any {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(text, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

// with returns the claims of a seal with some in the place of others; nil leaves one out.
func with(t testing.TB, text string, others map[string]any) string {
	t.Helper()
	claims := claimsOf(t, text)
	maps.Copy(claims, others)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return string(payload)
}

// sealHeader is the header of a seal by a key.
func sealHeader(kid string) string {
	return `{"alg":"EdDSA","kid":"` + kid + `","typ":"context_provenance_attribution_signature+jws"}`
}

// signed returns a compact JWS of header and payload.
func (s signer) signed(header, payload string) string {
	input := encode(header) + "." + encode(payload)
	return input + "." + encode(string(ed25519.Sign(s.private, []byte(input))))
}

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
