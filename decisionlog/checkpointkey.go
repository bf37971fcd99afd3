package decisionlog

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"earshot/decisionlog/keyring"
)

// CheckpointSigner signs with the log key in force: a *keyring.Signer.
type CheckpointSigner interface {
	// Sign returns the Ed25519 signature of a message (RFC 8032), 64 bytes.
	Sign(message []byte) ([]byte, error)
}

// VerifierKey returns a log key in the text form that verifies the checkpoints of the ledger with this
// origin: <origin>+<hash>+<key> (C2SP signed-note).
//
// Errors: keyring.ErrPublicKey.
func VerifierKey(origin string, key keyring.Key) (string, error) {
	// Asked first, since a wrong length is none of note's errors.
	if _, err := keyring.KeyID(key.Public); err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, key.Public)
}

func noteVerifier(origin string, key keyring.Key) (note.Verifier, error) {
	text, err := VerifierKey(origin, key)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(text)
}

// noteSigner makes a note.Signer of a log key.
type noteSigner struct {
	note.Verifier // for the name and the hash
	by            CheckpointSigner
}

// Sign returns the signature of a note's text.
func (s noteSigner) Sign(message []byte) ([]byte, error) { return s.by.Sign(message) }

// logKeys are the keys that checkpoints of one ledger may be signed by, newest first.
type logKeys struct {
	origin    string
	verifiers []note.Verifier
}

// readLogKeys reads the public log keys in a data folder. A folder without keys has none.
func readLogKeys(dir, origin string) (logKeys, error) {
	k := logKeys{origin: origin}
	listed, err := keyring.List(dir)
	if err != nil && !errors.Is(err, keyring.ErrNoKeys) {
		return logKeys{}, err
	}
	for _, key := range listed {
		if key.Purpose != keyring.PurposeLog {
			continue
		}
		if err := k.add(key); err != nil {
			return logKeys{}, err
		}
	}
	return k, nil
}

func (k *logKeys) add(key keyring.Key) error {
	v, err := noteVerifier(k.origin, key)
	if err != nil {
		return fmt.Errorf("the log key %s: %w", key.ID, err)
	}
	k.verifiers = append(k.verifiers, v)
	return nil
}

// Verifier returns the key with a name and a hash. It makes logKeys a note.Verifiers.
func (k logKeys) Verifier(name string, hash uint32) (note.Verifier, error) {
	i := slices.IndexFunc(k.verifiers, func(v note.Verifier) bool { return v.Name() == name && v.KeyHash() == hash })
	if i < 0 {
		return nil, &note.UnknownVerifierError{Name: name, KeyHash: hash}
	}
	return k.verifiers[i], nil
}

// place returns which key has a hash: 0 is the newest.
func (k logKeys) place(hash uint32) int {
	return slices.IndexFunc(k.verifiers, func(v note.Verifier) bool { return v.KeyHash() == hash })
}
