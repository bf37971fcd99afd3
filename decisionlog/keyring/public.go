package keyring

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// The labels of PEM (RFC 7468, sections 10, 11 and 13).
const (
	labelPublic    = "PUBLIC KEY"
	labelPrivate   = "PRIVATE KEY"
	labelEncrypted = "ENCRYPTED PRIVATE KEY"
)

// ParsePublicPEM reads one Ed25519 public key, a SubjectPublicKeyInfo in PEM (RFC 7468, RFC 8410). Text
// around the block is passed over. The key has no purpose and no bounds.
//
// Errors: ErrPublicKey, where there is no such key, more than one block, or a private key.
func ParsePublicPEM(text []byte) (Key, error) {
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return Key{}, fmt.Errorf("%w: it holds no whole block of PEM; give what pdp keys prints", ErrPublicKey)
	case block.Type == labelPrivate || block.Type == labelEncrypted:
		return Key{}, fmt.Errorf("%w: it is a private key; keep that secret and give the public half, which pdp keys prints", ErrPublicKey)
	case block.Type != labelPublic || len(block.Headers) > 0:
		return Key{}, fmt.Errorf("%w: it is not a PEM block %q without headers", ErrPublicKey, labelPublic)
	case bytes.Contains(rest, []byte("-----BEGIN ")):
		return Key{}, fmt.Errorf("%w: it holds more than one block of PEM; give one key", ErrPublicKey)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrPublicKey, err)
	}
	public, ok := parsed.(ed25519.PublicKey)
	if !ok {
		return Key{}, fmt.Errorf("%w: it is not an Ed25519 key", ErrPublicKey)
	}
	id, err := KeyID(public)
	if err != nil {
		return Key{}, err
	}
	return Key{ID: id, Public: public}, nil
}

// MarshalPublicPEM returns the public key of k as ParsePublicPEM reads it, nil where k has none.
func MarshalPublicPEM(k Key) []byte {
	der, err := publicDER(k.Public)
	if err != nil {
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: labelPublic, Bytes: der})
}
