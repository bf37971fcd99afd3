package server_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	tlogproof "github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/tlog"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/policy"
	"earshot/server"
)

// newTree returns a log that signs checkpoints, with n entries.
func newTree(t *testing.T, n int) *decisionlog.Log {
	t.Helper()
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	ring, err := keyring.Open(dir, keyring.Given{}, decidedAt)
	if err != nil {
		t.Fatal(err)
	}
	signer := ring.Signer(keyring.PurposeLog)
	key, _ := ring.Find(keyring.PurposeLog, signer.KeyID())
	if err := l.SignCheckpoints(t.Context(), key, signer); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		e := &policy.Entry{ID: "entry-" + string(rune('a'+i%26)), At: decidedAt.Truncate(1000)}
		if _, err := l.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestTheTreeIsServed(t *testing.T) {
	const n = 260
	l := newTree(t, n)
	h := newServer(t, func(c *server.Config) { c.Tree = l })

	proof := h.do(t, call{path: "/v1/log/proof?index=258"})
	var p tlogproof.TLogProof
	if err := p.Unmarshal(proof.Body.Bytes()); proof.Code != 200 || err != nil || p.Index != 258 {
		t.Fatalf("%d %s: %v", proof.Code, proof.Body, err)
	}
	checkpoint := h.do(t, call{path: "/v1/log/checkpoint"})
	if !bytes.Equal(checkpoint.Body.Bytes(), p.Checkpoint) {
		t.Errorf("the checkpoint is\n%s\nthat of the proof\n%s", checkpoint.Body, p.Checkpoint)
	}
	if got := checkpoint.Header().Get("Content-Type"); got != "text/plain; charset=utf-8" || checkpoint.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", checkpoint.Header())
	}

	tile := func(path string) []byte {
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, call{path: "/v1/log/tile/" + path}.request(t))
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/octet-stream" ||
			w.Header().Get("Cache-Control") != "private, max-age=31536000, immutable" {
			t.Fatalf("%s: %d %v", path, w.Code, w.Header())
		}
		return w.Body.Bytes()
	}
	hashes := append(tile("0/000"), tile("0/001.p/4")...)
	leaves := append(tile("entries/000"), tile("entries/001.p/4")...)
	for i := range n {
		size := int(binary.BigEndian.Uint16(leaves))
		if got := tlog.RecordHash(leaves[2 : 2+size]); !bytes.Equal(got[:], hashes[32*i:32*i+32]) {
			t.Fatalf("leaf %d does not hash to the tile", i)
		}
		leaves = leaves[2+size:]
	}
	if len(leaves) > 0 || len(hashes) != 32*n {
		t.Errorf("%d bytes of leaves and %d of hashes too many", len(leaves), len(hashes)-32*n)
	}

	var old, now tlog.Hash
	copy(old[:], hashes)
	root, err := base64.StdEncoding.DecodeString(strings.Split(string(p.Checkpoint), "\n")[2])
	if err != nil {
		t.Fatal(err)
	}
	copy(now[:], root)
	answer := h.do(t, call{path: "/v1/log/consistency?from=1&to=260"})
	var path tlog.TreeProof
	list, _ := fields(t, answer)["proof"].([]any)
	for _, text := range list {
		hash, err := tlog.ParseHash(text.(string))
		if err != nil {
			t.Fatal(err)
		}
		path = append(path, hash)
	}
	if err := tlog.CheckTree(path, n, now, 1, old); err != nil {
		t.Errorf("%v: %s", err, answer.Body)
	}
}

func TestTheTreeRefuses(t *testing.T) {
	l := newTree(t, 3)
	config := func(c *server.Config) {
		c.Tree = l
		c.Auth = []server.Credential{
			credential("auditor", "token-auditor", "", server.ScopeAudit),
			credential("acme", "token-acme", "acme", server.ScopeAudit),
			credential("runtime", "token-runtime", "", server.ScopeDecide),
		}
	}
	for name, test := range map[string]struct {
		path, token string
		status      int
		code, says  string
	}{
		"no index":               {"proof", "auditor", 400, "invalid_request", "index"},
		"a negative index":       {"proof?index=-1", "auditor", 400, "invalid_request", "index"},
		"a padded index":         {"proof?index=01", "auditor", 400, "invalid_request", "index"},
		"an index beyond":        {"proof?index=3", "auditor", 400, "invalid_request", "index"},
		"a huge index":           {"proof?index=18446744073709551615", "auditor", 400, "invalid_request", "index"},
		"no checkpoint of size":  {"proof?index=1&size=2", "auditor", 400, "invalid_request", "size"},
		"size zero":              {"proof?index=1&size=0", "auditor", 400, "invalid_request", "size"},
		"an unknown parameter":   {"proof?index=1&x=2", "auditor", 400, "invalid_request", "x"},
		"from without to":        {"consistency?from=1", "auditor", 400, "invalid_request", "to"},
		"an inverted range":      {"consistency?from=3&to=2", "auditor", 400, "invalid_request", "from"},
		"to beyond":              {"consistency?from=1&to=4", "auditor", 400, "invalid_request", "to"},
		"a parameter on a tile":  {"tile/0/000.p/1?x=1", "auditor", 400, "invalid_request", "x"},
		"a full tile too early":  {"tile/0/000", "auditor", 404, "not_found", "yet"},
		"leaves too early":       {"tile/entries/001.p/1", "auditor", 404, "not_found", "yet"},
		"no tile":                {"tile/0/0", "auditor", 404, "not_found", "tlog-tiles"},
		"a level of 64":          {"tile/64/000", "auditor", 404, "not_found", "tlog-tiles"},
		"a tile of data":         {"tile/data/000.p/1", "auditor", 404, "not_found", "tlog-tiles"},
		"dots":                   {"tile/0/../000.p/1", "auditor", 404, "not_found", "tlog-tiles"},
		"leaves of all tenants":  {"tile/entries/000.p/1", "acme", 403, "forbidden", "tenant"},
		"without the scope":      {"checkpoint", "runtime", 403, "forbidden", "audit"},
		"a tile without a scope": {"tile/0/000.p/1", "runtime", 403, "forbidden", "audit"},
		"without a token":        {"checkpoint", "", 401, "unauthenticated", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, config)
			c := call{path: "/v1/log/" + test.path}
			if test.token != "" {
				c.header = bearer("token-" + test.token)
			}
			w := httptest.NewRecorder()
			h.Handler().ServeHTTP(w, c.request(t))
			p := refused(t, w, test.status, test.code)
			if detail, _ := p["detail"].(string); !strings.Contains(detail, test.says) {
				t.Errorf("detail %q, want %q in it", detail, test.says)
			}
		})
	}
	h := newServer(t, config)
	if w := h.do(t, call{path: "/v1/log/proof?index=0", header: bearer("token-acme")}); w.Code != http.StatusOK {
		t.Errorf("a proof for a tenant: %s", w.Body)
	}
}

func TestWithoutATreeThereIsNone(t *testing.T) {
	h := newServer(t, nil)
	for _, path := range []string{"checkpoint", "proof?index=0", "consistency?from=1&to=1", "tile/0/000"} {
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, call{path: "/v1/log/" + path}.request(t))
		refused(t, w, 404, "not_found")
	}
}

// A log that is broken says so, and what is wrong with it stays inside.
func TestFailuresOfTheTree(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{decisionlog.ErrNoCheckpoint, 404, "not_found"},
		{decisionlog.ErrDamaged, 500, "internal"},
		{decisionlog.ErrUnavailable, 503, "log_unavailable"},
		{decisionlog.ErrClosed, 503, "log_unavailable"},
		{errors.New("inner"), 500, "internal"},
	} {
		h := newServer(t, func(c *server.Config) { c.Tree = brokenTree{err: test.err} })
		w := h.do(t, call{path: "/v1/log/checkpoint"})
		refused(t, w, test.status, test.code)
		if strings.Contains(w.Body.String(), "inner") || strings.Contains(w.Body.String(), "admitted") && test.code == "log_unavailable" {
			t.Errorf("%v: %s", test.err, w.Body)
		}
	}
}

// brokenTree has no checkpoint, for a reason.
type brokenTree struct {
	server.Tree
	err error
}

func (b brokenTree) Checkpoint(context.Context) ([]byte, error) { return nil, b.err }
