package receipt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// contextManifest names the exact context of a decision. The salt keeps its digest from being compared
// with guesses.
type contextManifest struct {
	Salt          string         `json:"salt"`
	DecisionID    string         `json:"decision_id"`
	ViewersDigest string         `json:"viewers_digest"`
	Admitted      []manifestItem `json:"admitted"`
}

type manifestItem struct {
	Position    int      `json:"position"`
	ID          string   `json:"id"`
	Digest      string   `json:"digest,omitzero"`
	Obligations []string `json:"obligations"`
}

func marshalManifest(v any) (jsontext.Value, error) {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	canonical := jsontext.Value(text)
	if err := canonical.Canonicalize(); err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	return canonical, nil
}

// ManifestDigest returns the SHA-256, in 64 hex digits, of a manifest in canonical form (RFC 8785). It
// is the digest of the subject context_manifest. White space and the order of members make no
// difference.
//
// Errors: ErrInvalid, where it is no JSON, or a member is there twice.
func ManifestDigest(manifest []byte) (string, error) {
	canonical := jsontext.Value(manifest).Clone()
	if err := canonical.Canonicalize(); err != nil {
		return "", wrong("/manifest", "is not strict JSON")
	}
	return sha256Hex(canonical), nil
}

func sha256Hex(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
