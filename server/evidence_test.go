package server_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/decisionlog/seal"
	"earshot/policy"
	"earshot/server"
)

// signing is a house with a real ledger that signs receipts and seals.
type signing struct {
	*house
	ledger *decisionlog.Log
	key    keyring.Key
}

// Find implements seal.Keys.
func (s *signing) Find(p keyring.Purpose, id string) (keyring.Key, bool) {
	return s.key, p == s.key.Purpose && id == s.key.ID
}

func newSigning(t *testing.T, change func(*server.Config)) *signing {
	t.Helper()
	signer := testSigner{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	s := &signing{key: keyring.Key{
		ID: signer.KeyID(), Purpose: keyring.PurposeReceipt, Public: signer.key.Public().(ed25519.PublicKey),
		NotBefore: decidedAt.Add(-time.Hour),
	}}
	var err error
	if s.ledger, err = decisionlog.Open(t.Context(), decisionlog.Config{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.ledger.Close(); err != nil {
			t.Error(err)
		}
	})
	engine, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	ids := 0
	newID := func() (string, error) {
		ids++
		return fmt.Sprintf("01931c5e-7d2a-7c1f-9a63-%012d", ids), nil
	}
	clock := func() time.Time { return decidedAt }
	seals, err := seal.New(seal.Config{Signer: signer, Keys: s, Ledger: s.ledger, Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := receipt.NewIssuer(receipt.Config{Signer: signer, Ledger: s.ledger, Origin: s.ledger.Origin(), Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: s.ledger, HandoffRecorder: s.ledger, Seals: seals, Clock: clock, NewID: newID,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.house = newServer(t, func(c *server.Config) {
		c.Point, c.Decisions, c.Receipts, c.Seals, c.Fingerprints = point, s.ledger, issuer, seals, s.ledger
		if change != nil {
			change(c)
		}
	})
	return s
}

// verified returns the names of the statements of an answer, all of which must verify and be recorded.
func (s *signing) verified(t *testing.T, answer map[string]any) (names []string) {
	t.Helper()
	stored, err := s.ledger.Receipts(t.Context(), answer["decision_id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range stored {
		if _, err := receipt.Verify(one.Envelope, []keyring.Key{s.key}); err != nil {
			t.Error(err)
		}
		var recorded any
		if err := json.Unmarshal(one.Envelope, &recorded); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(recorded, answer["receipts"].(map[string]any)[one.Statement]); diff != "" {
			t.Errorf("%s (-recorded +answered):\n%s", one.Statement, diff)
		}
		names = append(names, one.Statement)
	}
	return names
}

func TestReceiptsComeWithAnAnswer(t *testing.T) {
	s := newSigning(t, nil)
	for name, c := range map[string]struct {
		call call
		want []string
	}{
		"a hand-off":                      {handoffCall(shared), receipt.Statements()},
		"a hand-off that is asked for it": {call{path: "/v1/handoffs?receipts=true", body: shared}, receipt.Statements()},
		"a decision that is asked for it": {call{path: "/v1/decisions?receipts=true", body: sharing}, receipt.Statements()},
		"a decision that is not":          {call{body: sharing}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.do(t, c.call)
			answer := fields(t, w)
			if diff := cmp.Diff(c.want, s.verified(t, answer)); diff != "" || w.Code != http.StatusOK {
				t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
			}
			if _, there := answer["receipts"]; there != (c.want != nil) {
				t.Errorf("receipts are there: %t", there)
			}
		})
	}
}

const sharing = `{"turn": {"agent": "agent:scribe", "viewers": ["user:ann"]},
	"candidates": [{"id": "m1", "audience": ["user:ann"], "agent": "agent:scribe"}]}`

// signsNothing signs and records nothing.
type signsNothing struct{ err error }

func (f signsNothing) Decision(context.Context, *policy.Decision) (receipt.Set, error) {
	return receipt.Set{}, f.err
}

func (f signsNothing) Handoff(context.Context, *policy.HandoffDecision) (receipt.Set, error) {
	return receipt.Set{}, f.err
}

// Without its receipts, what was decided is not answered.
func TestNoAnswerWithoutReceipts(t *testing.T) {
	for _, asked := range []call{handoffCall(shared), {path: "/v1/decisions?receipts=true", body: sharing}} {
		h := newServer(t, func(c *server.Config) { c.Receipts = signsNothing{fmt.Errorf("%w: disk full", policy.ErrNotRecorded)} })
		refused(t, h.do(t, asked), http.StatusServiceUnavailable, "log_unavailable")
		h = newServer(t, func(c *server.Config) { c.Receipts = signsNothing{receipt.ErrIssue} })
		refused(t, h.do(t, asked), http.StatusInternalServerError, "internal")
	}
}

const toSeal = `{"items": [{"id": "m1", "agent": "agent:scribe", "kind": "message", "audience": ["user:ann"],
	"audience_basis": "recorded", "content": "The launch is on the third of March."}]}`

// A sealed item needs no other label, and none may differ.
func TestSealedLabelsCount(t *testing.T) {
	s := newSigning(t, nil)
	w := s.do(t, call{path: "/v1/seals", body: toSeal})
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	sealed := fields(t, w)["seals"].([]any)[0].(map[string]any)["seal"].(string)
	for name, c := range map[string]struct {
		viewer, labels string
		want           any
	}{
		"by its seal":                 {"user:ann", ``, []any{"audience_covers_viewers"}},
		"by its seal and its labels":  {"user:ann", `, "audience": ["user:ann"], "kind": "message"`, []any{"audience_covers_viewers"}},
		"to somebody else":            {"user:ben", ``, []any{"viewer_not_in_audience"}},
		"with a wider audience":       {"user:ben", `, "audience": ["user:ann", "user:ben"]`, []any{"seal_invalid", "unattributed"}},
		"with an audience of nobody":  {"user:ann", `, "audience": null`, []any{"audience_missing", "seal_invalid", "unattributed"}},
		"as another kind":             {"user:ann", `, "kind": "fact"`, []any{"audience_missing", "seal_invalid", "unattributed"}},
		"with other content":          {"user:ann", `, "digest": "` + sum("something else") + `"`, []any{"digest_mismatch"}},
		"with a letter of it changed": {"user:ann", `, "seal": "` + sealed[:len(sealed)-9] + "A" + sealed[len(sealed)-8:] + `"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			labels := c.labels + `, "seal": "` + sealed + `"`
			if c.want == nil {
				labels, c.want = c.labels, []any{"audience_missing", "seal_invalid", "unattributed"}
			}
			answer := fields(t, s.do(t, call{body: `{"turn": {"agent": "agent:scribe", "viewers": ["` + c.viewer + `"]}, "candidates": [{"id": "m1"` + labels + `}]}`}))
			if diff := cmp.Diff(c.want, answer["results"].([]any)[0].(map[string]any)["reasons"]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSealingNeedsItsScope(t *testing.T) {
	s := newSigning(t, func(c *server.Config) {
		c.Auth = []server.Credential{credential("runtime", "one", "", server.ScopeDecide), credential("migration", "two", "acme", server.ScopeSeal)}
	})
	refused(t, s.do(t, call{path: "/v1/seals", body: toSeal, header: bearer("one")}), http.StatusForbidden, "forbidden")
	refused(t, s.do(t, call{path: "/v1/seals", body: toSeal, header: bearer("two")}), http.StatusForbidden, "forbidden") // of another tenant
	w := s.do(t, call{path: "/v1/seals", body: `{"tenant": "acme", ` + toSeal[1:], header: bearer("two")})
	if w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestOneBadItemIsNotSealed(t *testing.T) {
	s := newSigning(t, nil)
	body := `{"items": [{"id": "m1", "agent": "agent:scribe", "kind": "message", "audience": ["user:ann"], "content": "text"}]}`
	p := refused(t, s.do(t, call{path: "/v1/seals", body: body}), http.StatusBadRequest, "invalid_request")
	if p["pointer"] != "/items/0/audience_basis" {
		t.Errorf("pointer %v", p["pointer"])
	}
}

func TestSealsNeedAKey(t *testing.T) {
	refused(t, newServer(t, nil).do(t, call{path: "/v1/seals", body: toSeal}), http.StatusNotFound, "not_found")
}
