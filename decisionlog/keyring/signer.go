package keyring

import (
	"crypto/ed25519"
	"fmt"
)

// Signer signs with the key that is in force. It is safe for concurrent use.
type Signer struct {
	id string

	// sign holds the private key. What prints or encodes a value by its fields finds the address of a
	// function here.
	sign func(message []byte) []byte
}

func newSigner(id string, private ed25519.PrivateKey) *Signer {
	return &Signer{id, func(message []byte) []byte { return ed25519.Sign(private, message) }}
}

// KeyID returns the ID of the key.
func (s *Signer) KeyID() string { return s.id }

// Sign returns the Ed25519 signature of a message (RFC 8032, section 5.1.6), 64 bytes. The message is
// signed as it is: what it is for must be part of it.
//
// Errors: ErrPrivateKey, where the Signer is not one of a Ring.
func (s *Signer) Sign(message []byte) ([]byte, error) {
	if s == nil || s.sign == nil {
		return nil, fmt.Errorf("%w: there is none", ErrPrivateKey)
	}
	return s.sign(message), nil
}
