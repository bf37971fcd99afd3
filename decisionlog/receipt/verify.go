package receipt

import (
	"crypto/ed25519"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"earshot/decisionlog/keyring"
)

// Verified is a receipt whose signature is good.
type Verified struct {
	Statement *Statement

	// Key is the one that signed it.
	Key keyring.Key

	// EnvelopeDigest is the SHA-256, as "sha256:" and 64 hex digits, of the envelope in canonical form
	// (RFC 8785). It is what the entry of the receipt in the ledger commits to.
	EnvelopeDigest string
}

// Head returns the members that every receipt has.
func (v *Verified) Head() *Head { return v.Statement.Predicate.head() }

// Verify returns what an envelope states if one of the keys signed it while it was in force. It needs
// nothing else: no network, no clock and no ledger. White space and the order of members in the
// envelope make no difference; anything else does.
//
// Its error is a *PlaceError. A change inside of the payload can be placed only where it breaks the form
// of the statement; elsewhere the signature is named, which covers it.
func Verify(envelope []byte, keys []keyring.Key) (*Verified, error) {
	o, err := open(envelope)
	if err != nil {
		return nil, err
	}
	key, err := keyOf(o.keyID, keys)
	if err != nil {
		return nil, err
	}
	statement, malformed := readStatement(o.payload)
	if !ed25519.Verify(key.Public, dsse.PAE(payloadType, o.payload), o.signature) {
		if place, ok := asPlace(malformed); ok {
			return nil, wrong("/payload: "+place.Place, "%s, and it is not what the key %s signed", place.Problem, key.ID)
		}
		return nil, wrong("/signatures/0/sig", "is not of this payload and the key %s: one of them was changed", key.ID)
	}
	if malformed != nil {
		return nil, inPayload(malformed)
	}
	if at := statement.Predicate.head().IssuedAt; !key.SignedAt(at) {
		return nil, wrong("/payload: /predicate/issued_at", "is outside of the time in which the key %s signed", key.ID)
	}
	return &Verified{Statement: statement, Key: key, EnvelopeDigest: digestPrefix + sha256Hex(o.canonical)}, nil
}

func keyOf(id string, keys []keyring.Key) (keyring.Key, error) {
	for _, key := range keys {
		switch {
		case key.ID != id:
			continue
		case key.Purpose != "" && key.Purpose != keyring.PurposeReceipt:
			return keyring.Key{}, wrong("/signatures/0/keyid", "is of a key that does not sign receipts")
		case len(key.Public) != ed25519.PublicKeySize:
			return keyring.Key{}, wrong("/signatures/0/keyid", "is of a key that cannot be used")
		}
		return key, nil
	}
	return keyring.Key{}, wrong("/signatures/0/keyid", "is of none of the keys that were given")
}
