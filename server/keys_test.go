package server_test

import (
	"crypto/ed25519"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/keyring"
	"earshot/server"
)

func TestKeysArePublished(t *testing.T) {
	var want []keyring.Key
	for i := range 2 {
		public, _, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		id, err := keyring.KeyID(public)
		if err != nil {
			t.Fatal(err)
		}
		k := keyring.Key{ID: id, Purpose: keyring.PurposeReceipt, Public: public, NotBefore: decidedAt.Truncate(time.Second)}
		if i > 0 {
			k.NotAfter = k.NotBefore.Add(time.Hour)
		}
		want = append(want, k)
	}
	h := newServer(t, func(c *server.Config) {
		c.Keys = func() []keyring.Key { return want }
		c.Auth = []server.Credential{credential("runtime", "open sesame", "", server.ScopeDecide)}
	})
	w := h.do(t, call{path: "/.well-known/jwks.json"})
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/jwk-set+json" || w.Header().Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
	got, err := keyring.ParseJWKS(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if w := h.do(t, call{method: http.MethodHead, path: "/.well-known/jwks.json"}); w.Code != http.StatusOK {
		t.Errorf("HEAD: %d", w.Code)
	}
}

func TestKeysThatAreNotThere(t *testing.T) {
	w := newServer(t, nil).do(t, call{path: "/.well-known/jwks.json"})
	if w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != `{"keys":[]}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	h := newServer(t, func(c *server.Config) {
		c.Keys = func() []keyring.Key { return []keyring.Key{{ID: "x"}} }
	})
	w = h.do(t, call{path: "/.well-known/jwks.json"})
	refused(t, w, http.StatusInternalServerError, "internal")
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("a failure may be kept: %s", got)
	}
}
