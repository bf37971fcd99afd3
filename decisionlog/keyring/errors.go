package keyring

import "errors"

// Errors a caller can tell apart with errors.Is. None of them quotes a private key.
var (
	// ErrPrivateKey means a private key cannot be used. The message names the file and the remedy.
	ErrPrivateKey = errors.New("private key cannot be used")

	// ErrPublicKey means bytes are not a public key, or not a set of them, that can be used.
	ErrPublicKey = errors.New("public key cannot be used")

	// ErrIndex means the index of the keys is damaged or does not fit the private keys. The message
	// names the file and the remedy.
	ErrIndex = errors.New("index of the keys cannot be used")

	// ErrNoKeys means the data folder has no keys.
	ErrNoKeys = errors.New("there are no keys")

	// ErrUnavailable means the folder of the keys could not be read or written now. The message says
	// what to do.
	ErrUnavailable = errors.New("folder of the keys is unavailable")
)
