package evidence

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// payloadType is that of a manifest in its envelope.
const payloadType = "application/vnd.earshot.evidence+json"

// manifest says what is in a package.
type manifest struct {
	Version    int    `json:"v"`
	Origin     string `json:"origin"` // of the log
	MadeAt     string `json:"made_at"`
	From       string `json:"from,omitzero"` // RFC 3339; absent where the end is open
	To         string `json:"to,omitzero"`
	Entries    uint64 `json:"entries"`
	Checkpoint uint64 `json:"checkpoint"` // its size

	// MissingPolicies are revisions that decided and whose files the log does not have.
	MissingPolicies []string `json:"missing_policies"`

	// Files has the SHA-256 of each file, save the manifest and its signature.
	Files map[string]string `json:"files"`
}

func canonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	value := jsontext.Value(text)
	err = value.Canonicalize()
	return value, err
}

// sign returns the DSSE envelope of a manifest.
func sign(text []byte, by Signer) ([]byte, error) {
	signature, err := by.Sign(dsse.PAE(payloadType, text))
	if err != nil {
		return nil, fmt.Errorf("sign the manifest: %w", err)
	}
	return canonical(dsse.Envelope{
		PayloadType: payloadType,
		Payload:     base64.StdEncoding.EncodeToString(text),
		Signatures:  []dsse.Signature{{KeyID: by.KeyID(), Sig: base64.StdEncoding.EncodeToString(signature)}},
	})
}

// instant writes an end of the range; empty where it is open.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
