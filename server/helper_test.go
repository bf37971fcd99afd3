package server_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"earshot/decisionlog/receipt"
	"earshot/policy"
	"earshot/server"
)

// broken is a Decider that does not decide.
type broken struct{ decide func() error }

func (b broken) Decide(context.Context, policy.Request) (*policy.Decision, error) {
	return nil, b.decide()
}

func (b broken) HandOff(context.Context, policy.Handoff) (*policy.HandoffDecision, error) {
	return nil, b.decide()
}

func (broken) ExplainHandoff(*policy.HandoffDecision, int) policy.Detail { return policy.Detail{} }

func (broken) Explain(*policy.Decision, int) policy.Detail { return policy.Detail{} }

// unsigned gives receipts that nobody signed.
type unsigned struct{}

func (unsigned) Decision(context.Context, *policy.Decision) (receipt.Set, error) {
	return unsignedSet(), nil
}

func (unsigned) Handoff(context.Context, *policy.HandoffDecision) (receipt.Set, error) {
	return unsignedSet(), nil
}

func unsignedSet() receipt.Set {
	set := receipt.Set{Envelopes: map[string]json.RawMessage{}, Disclosures: []string{"WyJzYWx0IiwibmFtZSIsInZhbHVlIl0"}}
	for _, name := range receipt.Statements() {
		set.Envelopes[name] = json.RawMessage(`{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[{"keyid":"00","sig":"AA=="}]}`)
	}
	return set
}

// house is a server with what stands around it.
type house struct {
	*server.Server
	ledger *ledger
	log    *bytes.Buffer
}

var decidedAt = time.Date(2026, 11, 30, 20, 0, 1, 123456789, time.UTC)

// engine is compiled once: it is immutable, and a test that wants another makes its own.
var engine = sync.OnceValues(func() (*policy.Engine, error) {
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		return nil, err
	}
	return policy.NewEngine(context.Background(), bundle)
})

// newServer returns a server on a real decision point. Change may edit its configuration.
func newServer(t *testing.T, change func(*server.Config)) *house {
	t.Helper()
	engine, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{ledger: &ledger{}, log: &bytes.Buffer{}}
	ids := 0
	point, err := policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: h.ledger, HandoffRecorder: h.ledger,
		Clock: func() time.Time { return decidedAt },
		NewID: func() (string, error) {
			ids++
			return fmt.Sprintf("01931c5e-7d2a-7c1f-9a57-%012d", ids), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	config := server.Config{
		Point:          point,
		Decisions:      h.ledger,
		Receipts:       unsigned{},
		PolicyRevision: engine.Revision,
		Logger:         zerolog.New(h.log),
		Version:        "1.2.3",
	}
	if change != nil {
		change(&config)
	}
	if h.Server, err = server.New(config); err != nil {
		t.Fatal(err)
	}
	return h
}

// call is one request of a test.
type call struct {
	method string // POST where there is a body, otherwise GET
	path   string // /v1/decisions where absent
	body   string
	header http.Header
	host   string // localhost:8181 where absent
}

func (c call) request(t *testing.T) *http.Request {
	t.Helper()
	method := http.MethodGet
	if c.body != "" {
		method = http.MethodPost
	}
	r := httptest.NewRequest(cmp.Or(c.method, method), cmp.Or(c.path, "/v1/decisions"), strings.NewReader(c.body))
	r.Host = cmp.Or(c.host, "localhost:8181")
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.header {
		r.Header[name] = values
	}
	return r
}

// do sends the request, checks the answer against the OpenAPI document and returns it.
func (h *house) do(t *testing.T, c call) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, c.request(t))
	conforms(t, c, w)
	return w
}

// fields decodes a JSON object.
func fields(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		t.Fatalf("%v in %q", err, w.Body)
	}
	return m
}

// refused fails the test unless w is a whole problem document with this status and code.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int, code string) map[string]any {
	t.Helper()
	if got := w.Header().Get("Content-Type"); w.Code != status || got != "application/problem+json" {
		t.Fatalf("status %d, %s, want %d as a problem: %s", w.Code, got, status, w.Body)
	}
	p := fields(t, w)
	if p["code"] != code || p["type"] != "/problems/"+code || p["status"] != float64(status) || p["title"] == "" || p["detail"] == "" {
		t.Fatalf("problem %v, want code %s", p, code)
	}
	return p
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

func credential(name, token, tenant string, scopes ...string) server.Credential {
	hash := sha256.Sum256([]byte(token))
	return server.Credential{Name: name, SHA256: hex.EncodeToString(hash[:]), Scopes: scopes, Tenant: tenant}
}
