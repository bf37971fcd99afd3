package keyring

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxFile is how many bytes a file of this package may have: some ten thousand keys.
const maxFile = 4 << 20

const remedyNewKey = "give an Ed25519 key in PKCS#8: openssl genpkey -algorithm ed25519 -out FILE"

// readPrivate reads the private key in a file. Mode is what syscall.Open takes beside reading: what
// was given may be a link, as mounted secrets are, and what was made here may not.
//
// Errors: ErrPrivateKey with the file and the remedy. No cause of a parser is passed on, since it could
// quote what the file holds.
func readPrivate(path string, mode int) (ed25519.PrivateKey, error) {
	private, err := loadPrivate(path, mode)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrPrivateKey, path, err)
	}
	return private, nil
}

func loadPrivate(path string, mode int) (ed25519.PrivateKey, error) {
	text, info, err := readFile(path, mode)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return nil, errors.New("it is a symbolic link; put the file itself in its place")
	case err != nil:
		return nil, fmt.Errorf("%w; name a file that the service may read", err)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others than its owner may use it (mode %04o): chmod 600 it, and rotate the key if others may have read it", info.Mode().Perm())
	}
	return parsePrivate(text)
}

// parsePrivate reads a private key in PEM.
func parsePrivate(text []byte) (ed25519.PrivateKey, error) {
	block, rest := pem.Decode(text)
	switch {
	case block == nil:
		return nil, errors.New("it holds no whole block of PEM; " + remedyNewKey)
	case block.Type == labelEncrypted || len(block.Headers) > 0:
		return nil, errors.New("it is encrypted, and there is nobody to ask for the pass phrase: openssl pkey -in FILE -out OTHER")
	case block.Type == labelPublic:
		return nil, errors.New("it is a public key; name the file of the private one")
	case block.Type != labelPrivate:
		return nil, fmt.Errorf("it is not a PEM block %q; %s", labelPrivate, remedyNewKey)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("something follows the key; keep one key in the file")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("it is damaged; " + remedyNewKey)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it is a key of another type; " + remedyNewKey)
	}
	return private, nil
}

func marshalPrivate(private ed25519.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: labelPrivate, Bytes: der}), nil
}

// idOf returns the ID of the public half.
func idOf(private ed25519.PrivateKey) (string, error) { return KeyID(publicOf(private)) }

func publicOf(private ed25519.PrivateKey) ed25519.PublicKey {
	return private.Public().(ed25519.PublicKey)
}

// readFile reads a regular file of bounded size. What it returns about the file is of what was read,
// whatever stands there since. It does not wait for the other end of a pipe.
func readFile(path string, mode int) ([]byte, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|mode, 0)
	if err != nil {
		return nil, nil, plain(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, plain(err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("it is not a regular file")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, nil, plain(err)
	}
	if len(text) > maxFile {
		return nil, nil, errors.New("it is too large")
	}
	return text, info, nil
}

// plain leaves out what an error of the system says about operation and path: the message has the path.
func plain(err error) error {
	if of, ok := errors.AsType[*os.PathError](err); ok {
		return of.Err
	}
	return err
}
