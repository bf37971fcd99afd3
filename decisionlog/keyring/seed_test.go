package keyring_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
)

// seedOf returns the secret 32 bytes of a private key in PEM.
func seedOf(t *testing.T, text []byte) []byte {
	t.Helper()
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatal("no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return key.(ed25519.PrivateKey).Seed()
}

// secretForms returns the beginning of the secret in the forms in which programs print bytes.
func secretForms(t *testing.T, text []byte) map[string]string {
	t.Helper()
	seed := seedOf(t, text)[:12]
	return map[string]string{
		"hex":     hex.EncodeToString(seed),
		"base64":  base64.StdEncoding.EncodeToString(seed),
		"bytes":   string(seed),
		"numbers": strings.Trim(fmt.Sprint(seed), "[]"),
		"go":      strings.Trim(strings.TrimPrefix(fmt.Sprintf("%#v", seed), "[]byte"), "{}"),
		"quoted":  strings.Trim(fmt.Sprintf("%q", seed), `"`),
		"pem":     strings.Split(string(text), "\n")[1][22:],
	}
}
