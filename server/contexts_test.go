package server_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/decisionlog/contextcheck"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/policy"
	"earshot/server"
)

// testSigner has a fixed key that is worth nothing.
type testSigner struct{ key ed25519.PrivateKey }

func (s testSigner) KeyID() string {
	id, err := keyring.KeyID(s.key.Public().(ed25519.PublicKey))
	if err != nil {
		panic(err)
	}
	return id
}

func (s testSigner) Sign(message []byte) ([]byte, error) { return ed25519.Sign(s.key, message), nil }

// brokenLedger is a ledger that keeps no verification.
type brokenLedger struct {
	*decisionlog.Log
	err error
}

func (l brokenLedger) RecordVerification(ctx context.Context, v *decisionlog.Verification) (policy.Position, error) {
	if l.err != nil {
		return policy.Position{}, l.err
	}
	return l.Log.RecordVerification(ctx, v)
}

// noReceipts signs nothing.
type noReceipts struct{}

func (noReceipts) Verification(context.Context, *decisionlog.Verification, policy.Position) (receipt.Set, error) {
	return receipt.Set{}, receipt.ErrIssue
}

// checker is a house with a real ledger, and the decision of three items.
type checker struct {
	*house
	ledger   *decisionlog.Log
	dir      string
	decision string
	signer   testSigner
}

const (
	openText   = "The launch of the new office in Basel moves to the third of March."
	secretText = "Only the board knows so far that the plant in Lyon will be closed before the end of the summer."
	turnText   = `{"agent": "agent:scribe", "tenant": "acme", "channel": "slack:C042", "viewers": ["user:ben", "user:ann"]}`
)

func sum(text string) string {
	d := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(d[:])
}

func newChecker(t *testing.T, change func(*contextcheck.Config, *server.Config)) *checker {
	t.Helper()
	c := &checker{dir: t.TempDir(), signer: testSigner{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}}
	var err error
	if c.ledger, err = decisionlog.Open(t.Context(), decisionlog.Config{Dir: c.dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.ledger.Close(); err != nil {
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
		return fmt.Sprintf("01931c5e-7d2a-7c1f-9a62-%012d", ids), nil
	}
	clock := func() time.Time { return decidedAt }
	point, err := policy.NewPoint(policy.Config{Engine: engine, Recorder: c.ledger, HandoffRecorder: c.ledger, Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := receipt.NewIssuer(receipt.Config{Signer: c.signer, Ledger: c.ledger, Origin: c.ledger.Origin(), Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	checking := contextcheck.Config{
		Ledger: c.ledger, Receipts: issuer, Rules: func() contextcheck.Rules { return engine }, Clock: clock, NewID: newID,
	}
	c.house = newServer(t, func(config *server.Config) {
		config.Point, config.Decisions = point, c.ledger
		if change != nil {
			change(&checking, config)
		}
		service, err := contextcheck.New(checking)
		if err != nil {
			t.Fatal(err)
		}
		config.Contexts = service
	})
	answer, err := point.Decide(t.Context(), policy.Request{
		Turn: policy.Turn{
			Agent: "agent:scribe", Tenant: "acme", Channel: "slack:C042", Attempt: 1,
			Viewers: []string{"user:ann", "user:ben"}, ViewersBasis: policy.BasisPlatform,
		},
		Candidates: []policy.Candidate{
			item("open", openText, "user:ann", "user:ben"), item("secret", secretText, "user:ann"),
		},
	})
	if err != nil || !answer.Results[0].Admit || answer.Results[1].Admit {
		t.Fatalf("decided %+v, %v", answer, err)
	}
	c.decision = answer.ID
	return c
}

func item(id, text string, audience ...string) policy.Candidate {
	return policy.Candidate{
		ID: id, Tenant: "acme", Agent: "agent:scribe", Kind: policy.KindFact, State: policy.StateLive,
		Audience: policy.Principals(audience...), AudienceBasis: policy.BasisRecorded, Digest: sum(text),
	}
}

func (c *checker) call(turn string, segments ...map[string]string) call {
	body, err := json.Marshal(map[string]any{"decision_id": c.decision, "turn": json.RawMessage(turn), "segments": append([]map[string]string{}, segments...)})
	if err != nil {
		panic(err)
	}
	return call{path: "/v1/contexts/verify", body: string(body)}
}

func TestVerifyContextProceeds(t *testing.T) {
	c := newChecker(t, nil)
	w := c.do(t, c.call(turnText, map[string]string{"item_id": "open", "digest": sum(openText)}, map[string]string{"text": openText}))
	got := fields(t, w)
	want := map[string]any{
		"ok": true, "verification_id": got["verification_id"], "decision_id": c.decision, "verified_at": "2026-11-30T20:00:01.123456Z",
		"policy_revision": got["policy_revision"], "findings": []any{}, "directive": "PROCEED: 2 segments are covered by the decision.",
		"log": got["log"], "receipts": map[string]any{},
	}
	if diff := cmp.Diff(want, got); diff != "" || w.Code != http.StatusOK {
		t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
	}
	stored, err := c.ledger.Verifications(t.Context(), c.decision)
	if err != nil || len(stored) != 1 || stored[0].ID != got["verification_id"] {
		t.Errorf("stored %+v, %v", stored, err)
	}
}

// The text of a denied item is learnt once and then found inside another text. A finding is signed and
// in the ledger, and the text is nowhere.
func TestVerifyContextHalts(t *testing.T) {
	c := newChecker(t, nil)
	first := fields(t, c.do(t, c.call(turnText, map[string]string{"item_id": "secret", "text": secretText})))
	if diff := cmp.Diff([]any{map[string]any{"segment": 0.0, "kind": "not_admitted", "item_id": "secret"}}, first["findings"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w := c.do(t, c.call(turnText,
		map[string]string{"item_id": "open", "text": openText},
		map[string]string{"text": "As a summary: only THE BOARD knows so far, that the plant in Lyon will be closed before the autumn."},
		map[string]string{"text": "Something that nobody said."},
		map[string]string{"item_id": "never", "digest": sum("x")},
		map[string]string{"item_id": "open", "text": openText + " "},
	))
	got := fields(t, w)
	want := []any{
		map[string]any{"segment": 1.0, "kind": "not_admitted", "item_id": "secret"},
		map[string]any{"segment": 2.0, "kind": "unattributed"},
		map[string]any{"segment": 3.0, "kind": "unknown_item", "item_id": "never"},
		map[string]any{"segment": 4.0, "kind": "digest_mismatch", "item_id": "open"},
	}
	if diff := cmp.Diff(want, got["findings"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got["ok"] != false || got["directive"] != "HALT: 4 of 5 segments are not covered by the decision." {
		t.Errorf("ok %v, directive %v", got["ok"], got["directive"])
	}
	envelope, err := json.Marshal(got["receipts"].(map[string]any)[receipt.BleedDetection])
	if err != nil {
		t.Fatal(err)
	}
	key := keyring.Key{ID: c.signer.KeyID(), Purpose: keyring.PurposeReceipt, Public: c.signer.key.Public().(ed25519.PublicKey)}
	if _, err := receipt.Verify(envelope, []keyring.Key{key}); err != nil {
		t.Errorf("the receipt: %v", err)
	}
	kept, err := c.ledger.Receipts(t.Context(), c.decision)
	if err != nil || len(kept) != 2 {
		t.Errorf("%d receipts in the ledger, %v", len(kept), err)
	}
	if n, err := c.ledger.Verify(t.Context(), nil); err != nil || n != 5 {
		t.Errorf("verify: %d, %v", n, err)
	}
	for _, name := range []string{"decisions.db", "decisions.db-wal"} {
		stored, err := os.ReadFile(c.dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"Lyon", "Basel", "nobody said"} {
			if strings.Contains(string(stored), text) || strings.Contains(c.log.String(), text) {
				t.Errorf("%q is kept in %s or logged", text, name)
			}
		}
	}
}

func TestVerifyContextOfOthers(t *testing.T) {
	c := newChecker(t, nil)
	segment := map[string]string{"item_id": "open", "digest": sum(openText)}
	got := fields(t, c.do(t, c.call(strings.Replace(turnText, `"user:ben", `, "", 1), segment)))
	if diff := cmp.Diff([]any{map[string]any{"segment": 0.0, "kind": "audience_mismatch", "item_id": "open"}}, got["findings"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	refused(t, c.do(t, c.call(strings.Replace(turnText, "acme", "other", 1), segment)), http.StatusNotFound, "not_found")
	handoff := fields(t, c.do(t, handoffCall(shared)))
	for _, id := range []string{"never", handoff["decision_id"].(string)} {
		c.decision = id
		refused(t, c.do(t, c.call(turnText, segment)), http.StatusNotFound, "not_found")
	}
	refused(t, newServer(t, nil).do(t, c.call(turnText, segment)), http.StatusNotFound, "not_found")
}

func TestVerifyContextRefused(t *testing.T) {
	c := newChecker(t, nil)
	const head = `{"decision_id": "d", "turn": ` + turnText + `, "segments": `
	for name, r := range map[string]struct {
		body, code, pointer string
		status              int
	}{
		"not JSON":            {`{`, "invalid_json", "", 400},
		"no decision":         {`{"turn": ` + turnText + `, "segments": [{"item_id": "open", "text": "t"}]}`, "invalid_request", "/decision_id", 400},
		"two":                 {`{"context_id": "c", "decision_id": "d", "turn": ` + turnText + `, "segments": [{"item_id": "open", "text": "t"}]}`, "invalid_request", "/context_id", 400},
		"no turn":             {`{"decision_id": "d", "segments": [{"item_id": "open", "text": "t"}]}`, "invalid_request", "/turn", 400},
		"no segment":          {`{"decision_id": "d", "turn": ` + turnText + `, "segments": []}`, "invalid_request", "/segments", 400},
		"no agent":            {`{"decision_id": "d", "turn": {"agent": ""}, "segments": [{"item_id": "open", "text": "t"}]}`, "invalid_request", "/turn/agent", 400},
		"no segments":         {`{"decision_id": "d", "turn": ` + turnText + `}`, "invalid_request", "/segments", 400},
		"null":                {head + `null}`, "invalid_request", "/segments", 400},
		"a segment of text":   {head + `["x"]}`, "invalid_request", "/segments/0", 400},
		"an empty segment":    {head + `[{"text": "a"}, {}]}`, "invalid_request", "/segments/1", 400},
		"no digest":           {head + `[{"item_id": "m1"}]}`, "invalid_request", "/segments/0", 400},
		"no digest of a text": {head + `[{"text": "a", "digest": "` + sum("b") + `"}]}`, "invalid_request", "/segments/0/digest", 400},
		"no digest by form":   {head + `[{"item_id": "m1", "digest": "sha256:ABC"}]}`, "invalid_request", "/segments/0/digest", 400},
		"an unknown field":    {head + `[{"text": "a", "id": "b"}]}`, "invalid_request", "/segments/0/id", 400},
		"too many":            {head + `[` + strings.Repeat(`{"text": ""},`, 1000) + `{"text": ""}]}`, "too_large", "", 413},
	} {
		p := refused(t, c.do(t, call{path: "/v1/contexts/verify", body: r.body}), r.status, r.code)
		if got, _ := p["pointer"].(string); got != r.pointer {
			t.Errorf("%s: pointer %q, want %q", name, got, r.pointer)
		}
	}
	refused(t, c.do(t, call{path: "/v1/contexts/verify", body: `{"context_id": "c", "turn": ` + turnText + `, "segments": [{"item_id": "open", "text": "t"}]}`}), http.StatusNotFound, "not_found")
	refused(t, c.do(t, call{path: "/v1/contexts/verify?explain=true", body: "{}"}), http.StatusBadRequest, "invalid_request")
	if n, err := c.ledger.Verify(t.Context(), nil); err != nil || n != 1 {
		t.Errorf("verify: %d, %v", n, err)
	}
}

// What is not recorded or not signed is not answered.
func TestVerifyContextFails(t *testing.T) {
	segment := map[string]string{"text": "Something that nobody said."}
	c := newChecker(t, func(config *contextcheck.Config, _ *server.Config) {
		config.Ledger = brokenLedger{config.Ledger.(*decisionlog.Log), errors.New("no space")}
	})
	refused(t, c.do(t, c.call(turnText, segment)), http.StatusServiceUnavailable, "log_unavailable")
	c = newChecker(t, func(config *contextcheck.Config, _ *server.Config) { config.Receipts = noReceipts{} })
	refused(t, c.do(t, c.call(turnText, segment)), http.StatusInternalServerError, "internal")
}
