package keyring

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"time"
)

// Purpose is what a key signs. A key has one purpose.
type Purpose string

// The purposes.
const (
	// PurposeReceipt is for receipts and seals.
	PurposeReceipt Purpose = "receipt"

	// PurposeLog is for the checkpoints of the decision log.
	PurposeLog Purpose = "log"
)

// Purposes returns every purpose.
func Purposes() []Purpose { return []Purpose{PurposeReceipt, PurposeLog} }

func (p Purpose) known() bool { return p == PurposeReceipt || p == PurposeLog }

// Key is one public key with the time in which it signed.
type Key struct {
	// ID is the SHA-256 of the SubjectPublicKeyInfo in DER (RFC 8410, section 4), 64 hex digits.
	ID string

	// Purpose is empty where it is not known, as of a key in bare PEM.
	Purpose Purpose

	// Public is not to be changed: copies of a Key share it.
	Public ed25519.PublicKey

	// NotBefore and NotAfter bound the time in which the key signed, in whole seconds, UTC, by the
	// clock of the machine that signed. A zero NotBefore is not known. A zero NotAfter means that the
	// key is in force.
	NotBefore, NotAfter time.Time
}

// InForce reports whether the key signs now.
func (k Key) InForce() bool { return k.NotAfter.IsZero() }

// SignedAt reports whether the key was in force at a time. Both bounds belong to it, and a fraction
// of a second is left out, since the bounds have none.
func (k Key) SignedAt(at time.Time) bool {
	at = at.Truncate(time.Second)
	return !at.Before(k.NotBefore) && (k.InForce() || !at.After(k.NotAfter))
}

// KeyID returns the ID of a public key, or ErrPublicKey where its length is wrong.
func KeyID(public ed25519.PublicKey) (string, error) {
	der, err := publicDER(public)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:]), nil
}

func publicDER(public ed25519.PublicKey) ([]byte, error) {
	if len(public) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("%w: an Ed25519 public key has %d bytes, and not %d", ErrPublicKey, ed25519.PublicKeySize, len(public))
	}
	return x509.MarshalPKIXPublicKey(public)
}
