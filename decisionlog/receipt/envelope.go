package receipt

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// payloadType is that of in-toto (Attestation Framework, spec/v1/envelope.md).
const payloadType = "application/vnd.in-toto+json"

// marshalStatement returns the one form in which a statement is signed: canonical JSON (RFC 8785).
func marshalStatement(s *Statement) ([]byte, error) { return marshalCanonical(s) }

func marshalCanonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	canonical := jsontext.Value(text)
	err = canonical.Canonicalize()
	return canonical, err
}

// envelope signs a statement and returns the envelope in canonical JSON.
func (i *Issuer) envelope(ctx context.Context, s *Statement) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	payload, err := marshalStatement(s)
	if err != nil {
		return nil, err
	}
	envelope, err := i.signer.SignPayload(ctx, payloadType, payload)
	if err != nil {
		return nil, err
	}
	return marshalCanonical(envelope)
}

// dsseSigner signs for the package dsse.
type dsseSigner struct{ Signer }

func (s dsseSigner) Sign(_ context.Context, message []byte) ([]byte, error) {
	return s.Signer.Sign(message)
}

func (s dsseSigner) KeyID() (string, error) { return s.Signer.KeyID(), nil }

// opened is an envelope of the right form whose signature is not verified yet.
type opened struct {
	payload   []byte
	keyID     string
	signature []byte
	canonical []byte
}

// open reads an envelope strictly. The package dsse takes two alphabets of base64 and any number of
// signatures, so that many texts are the same envelope; here it is one.
func open(text []byte) (*opened, error) {
	var e dsse.Envelope
	if err := json.Unmarshal(text, &e, json.RejectUnknownMembers(true)); err != nil {
		return nil, misread("", err)
	}
	if e.PayloadType != payloadType {
		return nil, wrong("/payloadType", "must be %s", payloadType)
	}
	if len(e.Signatures) != 1 {
		return nil, wrong("/signatures", "must be exactly one, and there are %d", len(e.Signatures))
	}
	o := &opened{keyID: e.Signatures[0].KeyID}
	var err error
	if o.payload, err = decodeBase64("/payload", e.Payload); err != nil {
		return nil, err
	}
	if o.signature, err = decodeBase64("/signatures/0/sig", e.Signatures[0].Sig); err != nil {
		return nil, err
	}
	if o.canonical, err = marshalCanonical(e); err != nil {
		return nil, wrong("", "has no canonical form")
	}
	return o, nil
}

// decodeBase64 reads standard base64 with padding in the one form that an encoder writes.
func decodeBase64(place, text string) ([]byte, error) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if offset, ok := err.(base64.CorruptInputError); ok {
		return nil, wrong(place, "is no standard base64 at offset %d", int64(offset))
	}
	// The decoder passes over line breaks.
	if again := base64.StdEncoding.EncodeToString(decoded); err != nil || again != text {
		return nil, wrong(place, "is no standard base64 at offset %d", firstDifference([]byte(again), []byte(text)))
	}
	return decoded, nil
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// readStatement reads a payload in exactly the form that marshalStatement writes. Its places are in the
// payload.
func readStatement(payload []byte) (*Statement, error) {
	var parts struct {
		Type          string         `json:"_type"`
		Subject       []Subject      `json:"subject"`
		PredicateType string         `json:"predicateType"`
		Predicate     jsontext.Value `json:"predicate"`
	}
	if err := json.Unmarshal(payload, &parts, json.RejectUnknownMembers(true)); err != nil {
		return nil, misread("", err)
	}
	s := &Statement{parts.Type, parts.Subject, parts.PredicateType, newPredicate(parts.PredicateType)}
	if s.Predicate == nil {
		return nil, wrong("/predicateType", "is none of the four that there are")
	}
	if err := json.Unmarshal(parts.Predicate, s.Predicate, json.RejectUnknownMembers(true)); err != nil {
		return nil, misread("/predicate", err)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	again, err := marshalStatement(s)
	if err != nil || string(again) != string(payload) {
		return nil, wrong("", "is not in the form in which it is signed, from byte %d on", firstDifference(again, payload))
	}
	return s, nil
}

// inPayload gives an error of readStatement the place that it has in the envelope.
func inPayload(err error) error {
	place, ok := asPlace(err)
	if !ok {
		return err
	}
	return wrong(fmt.Sprintf("/payload: %s", place.Place), "%s", place.Problem)
}
