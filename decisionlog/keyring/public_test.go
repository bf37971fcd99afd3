package keyring_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/keyring"
)

// The example key of RFC 8410, section 10.1, and the digest that openssl and sha256sum give of its DER.
const (
	rfcPublic = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
	rfcID     = "a1e9156054e04fac899ae9f275132cdc07a5dbc4ea2c2ad3a1ffc6e0d253681f"
)

func TestPublicPEM(t *testing.T) {
	k, err := keyring.ParsePublicPEM([]byte(rfcPublic))
	if err != nil {
		t.Fatal(err)
	}
	if k.ID != rfcID || k.Purpose != "" || !k.NotBefore.IsZero() || !k.InForce() {
		t.Errorf("the key is %v", k)
	}
	if got := string(keyring.MarshalPublicPEM(k)); got != rfcPublic {
		t.Errorf("written again it is\n%s", got)
	}
	around, err := keyring.ParsePublicPEM([]byte("receipt key\n" + rfcPublic + "\n\n"))
	if err != nil || !cmp.Equal(k, around) {
		t.Errorf("with text around: %v, %v", around, err)
	}
	if got := keyring.MarshalPublicPEM(keyring.Key{}); got != nil {
		t.Errorf("no key is written as %q", got)
	}
}

func TestPublicPEMThatIsRefused(t *testing.T) {
	block, _ := pem.Decode([]byte(rfcPublic))
	of := func(label string, headers map[string]string, content []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: label, Headers: headers, Bytes: content})
	}
	p256, err := x509.MarshalPKIXPublicKey(newP256(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"nothing":        nil,
		"text":           []byte("key"),
		"cut":            []byte(rfcPublic[:80]),
		"private":        pkcs8(t, newPrivate(t)),
		"encrypted":      of("ENCRYPTED PRIVATE KEY", nil, block.Bytes),
		"another label":  of("CERTIFICATE", nil, block.Bytes),
		"headers":        of("PUBLIC KEY", map[string]string{"Comment": "x"}, block.Bytes),
		"another type":   of("PUBLIC KEY", nil, p256),
		"one byte short": of("PUBLIC KEY", nil, block.Bytes[:len(block.Bytes)-1]),
		"one byte more":  of("PUBLIC KEY", nil, append(bytes.Clone(block.Bytes), 0)),
		"two keys":       []byte(rfcPublic + rfcPublic),
		"a second, cut":  []byte(rfcPublic + rfcPublic[:60]),
	} {
		t.Run(name, func(t *testing.T) {
			if k, err := keyring.ParsePublicPEM(text); !errors.Is(err, keyring.ErrPublicKey) || k.Public != nil {
				t.Errorf("got %v, %v", k, err)
			}
		})
	}
}

func TestKeyIDOfAWrongLength(t *testing.T) {
	for _, length := range []int{0, 31, 33} {
		if id, err := keyring.KeyID(make(ed25519.PublicKey, length)); !errors.Is(err, keyring.ErrPublicKey) || id != "" {
			t.Errorf("%d bytes: %q, %v", length, id, err)
		}
	}
}
