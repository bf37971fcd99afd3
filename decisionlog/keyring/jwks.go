package keyring

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jwkSet is a JWK set (RFC 7517, section 5).
type jwkSet struct {
	Keys *[]jsontext.Value `json:"keys"`
}

// jwk is one public key (RFC 7517, section 4; RFC 8037, section 2). The members nbf, exp and purpose
// are extensions, which RFC 7517 lets others pass over.
type jwk struct {
	KeyType   string `json:"kty"`
	Curve     string `json:"crv,omitzero"`
	X         string `json:"x,omitzero"`
	ID        string `json:"kid,omitzero"`
	Algorithm string `json:"alg,omitzero"`
	Use       string `json:"use,omitzero"`

	// NotBefore and NotAfter are NumericDates (RFC 7519, section 2) in whole seconds. Both belong to the
	// time in which the key signed; they are compared with the time of the signature and not with now.
	NotBefore *int64 `json:"nbf,omitzero"`
	NotAfter  *int64 `json:"exp,omitzero"`

	Purpose Purpose `json:"purpose,omitzero"`

	// Private is what only a private key has.
	Private jsontext.Value `json:"d,omitzero"`
}

const (
	keyTypeOKP   = "OKP"
	curveEd25519 = "Ed25519"
	algEdDSA     = "EdDSA"   // RFC 8037, section 3.1
	algEd25519   = "Ed25519" // RFC 9864, section 2.2
	useSignature = "sig"

	// lastSecond is the end of the year 9999, the last that RFC 3339 can write.
	lastSecond = 253402300799
)

// MarshalJWKS returns keys as a JWK set in their order. Each has kty, crv, x, kid, alg and use; purpose
// where it is known; nbf, and exp unless it is in force.
//
// Errors: ErrPublicKey, where a key or its ID is wrong, or two are the same.
func MarshalJWKS(keys []Key) ([]byte, error) {
	set := struct {
		Keys []jwk `json:"keys"`
	}{make([]jwk, 0, len(keys))}
	seen := map[string]bool{}
	for _, k := range keys {
		id, err := KeyID(k.Public)
		if err != nil {
			return nil, err
		}
		if id != k.ID || seen[id] {
			return nil, fmt.Errorf("%w: the ID %q belongs to another key, or is there twice", ErrPublicKey, k.ID)
		}
		seen[id] = true
		set.Keys = append(set.Keys, jwk{
			KeyType: keyTypeOKP, Curve: curveEd25519, X: base64.RawURLEncoding.EncodeToString(k.Public),
			ID: id, Algorithm: algEdDSA, Use: useSignature,
			NotBefore: numericDate(k.NotBefore), NotAfter: numericDate(k.NotAfter),
			Purpose: k.Purpose,
		})
	}
	return json.Marshal(set)
}

// ParseJWKS returns the Ed25519 keys of a JWK set in their order. Keys of other types are passed over,
// and so are members that are not used here; a set may have no key. It is own code since the libraries
// for it take several spellings of base64, and pass over damaged keys where they pass over foreign ones.
//
// Errors: ErrPublicKey, where the set is not strict JSON, or an Ed25519 key of it is damaged, private,
// for another use or there twice, or its kid is not its ID.
func ParseJWKS(text []byte) ([]Key, error) {
	var set jwkSet
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, notASet(err)
	}
	if set.Keys == nil {
		return nil, fmt.Errorf("%w: it is not a JWK set: it has no array %q", ErrPublicKey, "keys")
	}
	var keys []Key
	seen := map[string]bool{}
	for i, raw := range *set.Keys {
		// The kind comes first: members of another kind may have any form.
		var kind struct {
			KeyType jsontext.Value `json:"kty"`
			Curve   jsontext.Value `json:"crv"`
		}
		if err := json.Unmarshal(raw, &kind); err != nil {
			return nil, fmt.Errorf("key %d: %w", i, notASet(err))
		}
		if string(kind.KeyType) != `"`+keyTypeOKP+`"` || string(kind.Curve) != `"`+curveEd25519+`"` {
			continue
		}
		k, err := parseJWK(raw)
		if err == nil && seen[k.ID] {
			err = errors.New("it is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("%w: key %d of the set: %w", ErrPublicKey, i, err)
		}
		seen[k.ID] = true
		keys = append(keys, k)
	}
	return keys, nil
}

// notASet leaves the cause out where it could quote what the text holds.
func notASet(err error) error {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return fmt.Errorf("%w: a member of the JWK set is there twice", ErrPublicKey)
	}
	return fmt.Errorf("%w: it is not a JWK set in JSON (RFC 7517)", ErrPublicKey)
}

func parseJWK(raw jsontext.Value) (Key, error) {
	var j jwk
	if err := json.Unmarshal(raw, &j); err != nil {
		return Key{}, errors.New("a member has the wrong form")
	}
	switch {
	case j.Private != nil:
		return Key{}, errors.New("it is a private key; keep that secret and give the public half")
	case j.Algorithm != "" && j.Algorithm != algEdDSA && j.Algorithm != algEd25519:
		return Key{}, fmt.Errorf("alg must be %s", algEdDSA)
	case j.Use != "" && j.Use != useSignature:
		return Key{}, fmt.Errorf("use must be %s", useSignature)
	case j.Purpose != "" && !j.Purpose.known():
		return Key{}, errors.New("purpose must be receipt or log")
	}
	x, err := base64.RawURLEncoding.Strict().DecodeString(j.X)
	// The decoder passes over line breaks.
	if err != nil || len(x) != ed25519.PublicKeySize || base64.RawURLEncoding.EncodeToString(x) != j.X {
		return Key{}, errors.New("x must be 32 bytes in base64url without padding")
	}
	k := Key{Public: x, Purpose: j.Purpose}
	if k.ID, err = KeyID(k.Public); err != nil {
		return Key{}, err
	}
	if j.ID != "" && j.ID != k.ID {
		return Key{}, errors.New("kid must be the SHA-256 of the SubjectPublicKeyInfo in lower-case hex")
	}
	if k.NotBefore, err = dateOf(j.NotBefore); err != nil {
		return Key{}, fmt.Errorf("nbf %w", err)
	}
	if k.NotAfter, err = dateOf(j.NotAfter); err != nil {
		return Key{}, fmt.Errorf("exp %w", err)
	}
	if !k.InForce() && k.NotAfter.Before(k.NotBefore) {
		return Key{}, errors.New("exp must not be before nbf")
	}
	return k, nil
}

func numericDate(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return new(t.Unix())
}

func dateOf(seconds *int64) (time.Time, error) {
	switch {
	case seconds == nil:
		return time.Time{}, nil
	case *seconds <= 0 || *seconds > lastSecond:
		return time.Time{}, errors.New("must be a time after 1970 in seconds")
	}
	return time.Unix(*seconds, 0).UTC(), nil
}
