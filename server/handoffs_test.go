package server_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/server"

	"github.com/google/go-cmp/cmp"
)

const shared = `{"agent_id": "agent:billing",
	"elements": [
		{"element_id": "e1", "source_agent_id": "agent:intake", "is_shared": true, "is_confidential": false},
		{"element_id": "e2", "source_agent_id": "agent:billing"}],
	"authorized_shared_agents": ["agent:intake"],
	"boundary": {"shared_substrate": true, "private_to": {"agent:legal": ["e9"]}}}`

func handoffCall(body string) call { return call{path: "/v1/handoffs", body: body} }

func TestHandOff(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, handoffCall(shared))
	got := fields(t, w)
	revision, log, digest := got["policy_revision"], got["log"], got["manifest_digest"]
	want := map[string]any{
		"decision_id":     "01931c5e-7d2a-7c1f-9a57-000000000001",
		"decided_at":      "2026-11-30T20:00:01.123456Z",
		"policy_revision": revision,
		"verdict":         "AUTHORIZED_SHARING",
		"directive":       "PROCEED: 1 authorized shared elements.",
		"manifest_digest": digest,
		"results": []any{
			map[string]any{
				"position": 0.0, "element_id": "e1", "admit": true,
				"reasons": []any{"authorized_sharing"}, "obligations": []any{"label_source"},
			},
			map[string]any{
				"position": 1.0, "element_id": "e2", "admit": true,
				"reasons": []any{"own_element"}, "obligations": []any{},
			},
		},
		"counts": map[string]any{"admitted": 2.0, "denied": 0.0},
		"log":    log,

		// What they say is for package receipt to test.
		"receipts": got["receipts"], "disclosures": got["disclosures"],
	}
	if diff := cmp.Diff(want, got); diff != "" || w.Code != http.StatusOK {
		t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
	}

	// It is in the log before it is answered, and can be asked again.
	record := fields(t, h.do(t, call{path: "/v1/decisions/01931c5e-7d2a-7c1f-9a57-000000000001"}))
	request, err := json.Marshal(record["request"])
	if err != nil {
		t.Fatal(err)
	}
	again := fields(t, h.do(t, handoffCall(string(request))))
	if record["type"] != "handoff" || again["manifest_digest"] != digest {
		t.Errorf("type %v; asked again the digest is %v, was %v", record["type"], again["manifest_digest"], digest)
	}
	page := fields(t, h.do(t, call{path: "/v1/decisions"}))
	if list := page["decisions"].([]any); len(list) != 2 || list[0].(map[string]any)["agent"] != "agent:billing" {
		t.Errorf("list %v", list)
	}
}

func TestHandOffExplained(t *testing.T) {
	h := newServer(t, nil)
	body := strings.Replace(shared, `"boundary"`, `"profile": "strict", "boundary"`, 1)
	got := fields(t, h.do(t, call{path: "/v1/handoffs?explain=true", body: body}))
	rules := got["results"].([]any)[0].(map[string]any)["detail"].(map[string]any)["rules"].([]any)
	if len(rules) != 1 || rules[0].(map[string]any)["package"] != "data.earshot.handoff.gates.authorized_sharing" {
		t.Errorf("rules %v", rules)
	}
}

func TestHandOffsByReference(t *testing.T) {
	text, err := os.ReadFile("../policy/testdata/reference_handoffs.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Request json.RawMessage
		Want    map[string]any
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	h := newServer(t, nil)
	for _, c := range cases {
		got := fields(t, h.do(t, handoffCall(string(c.Request))))
		for key, want := range c.Want {
			if got[key] != want {
				t.Errorf("%s: %s is %v, want %v", c.Request, key, got[key], want)
			}
		}
	}
}

// What is wrong anywhere in the request refuses it, with the place.
func TestHandOffRefused(t *testing.T) {
	h := newServer(t, nil)
	const e = `{"element_id": "e1"}`
	for name, c := range map[string]struct{ body, code, pointer string }{
		"not JSON":               {`{`, "invalid_json", ""},
		"trailing data":          {`{"agent_id": "a", "elements": []} 1`, "invalid_json", ""},
		"a name twice":           {`{"agent_id": "a", "agent_id": "b", "elements": []}`, "invalid_json", ""},
		"an agent twice":         {`{"agent_id": "a", "elements": [], "boundary": {"private_to": {"b": [], "b": []}}}`, "invalid_json", ""},
		"no agent":               {`{"elements": []}`, "invalid_request", "/agent_id"},
		"an empty agent":         {`{"agent_id": "", "elements": []}`, "invalid_request", "/agent_id"},
		"no principal":           {`{"agent_id": "public", "elements": []}`, "invalid_request", "/agent_id"},
		"no elements":            {`{"agent_id": "a"}`, "invalid_request", "/elements"},
		"elements null":          {`{"agent_id": "a", "elements": null}`, "invalid_request", "/elements"},
		"an unknown field":       {`{"agent_id": "a", "elements": [], "agent": "b"}`, "invalid_request", "/agent"},
		"an unknown switch":      {`{"agent_id": "a", "elements": [], "policy": {"strict": true}}`, "invalid_request", "/policy/strict"},
		"a switch in a string":   {`{"agent_id": "a", "elements": [], "policy": {"require_attribution": "false"}}`, "invalid_request", "/policy/require_attribution"},
		"an unknown profile":     {`{"agent_id": "a", "elements": [], "profile": "lax"}`, "invalid_request", "/profile"},
		"agents in a string":     {`{"agent_id": "a", "elements": [], "authorized_shared_agents": "b"}`, "invalid_request", "/authorized_shared_agents"},
		"an agent of no name":    {`{"agent_id": "a", "elements": [], "authorized_shared_agents": ["b", ""]}`, "invalid_request", "/authorized_shared_agents/1"},
		"an element of no id":    {`{"agent_id": "a", "elements": [` + e + `, {}]}`, "invalid_request", "/elements/1/element_id"},
		"an id with a space":     {`{"agent_id": "a", "elements": [{"element_id": "e 1"}]}`, "invalid_request", "/elements/0/element_id"},
		"a source with a space":  {`{"agent_id": "a", "elements": [{"element_id": "e", "source_agent_id": " "}]}`, "invalid_request", "/elements/0/source_agent_id"},
		"a source in a list":     {`{"agent_id": "a", "elements": [{"element_id": "e", "source_agent_id": ["b"]}]}`, "invalid_request", "/elements/0/source_agent_id"},
		"shared as a word":       {`{"agent_id": "a", "elements": [{"element_id": "e", "is_shared": "true"}]}`, "invalid_request", "/elements/0/is_shared"},
		"confidential as null":   {`{"agent_id": "a", "elements": [{"element_id": "e", "is_confidential": null}]}`, "invalid_request", "/elements/0/is_confidential"},
		"an unknown kind":        {`{"agent_id": "a", "elements": [{"element_id": "e", "kind": "order"}]}`, "invalid_request", "/elements/0/kind"},
		"half a digest":          {`{"agent_id": "a", "elements": [{"element_id": "e", "digest": "sha256:00"}]}`, "invalid_request", "/elements/0/digest"},
		"a field of an element":  {`{"agent_id": "a", "elements": [{"element_id": "e", "text": "x"}]}`, "invalid_request", "/elements/0/text"},
		"a field of a boundary":  {`{"agent_id": "a", "elements": [], "boundary": {"shared": false}}`, "invalid_request", "/boundary/shared"},
		"a substrate of null":    {`{"agent_id": "a", "elements": [], "boundary": {"shared_substrate": null}}`, "invalid_request", "/boundary/shared_substrate"},
		"a source of everybody":  {`{"agent_id": "a", "elements": [], "boundary": {"single_source": "*"}}`, "invalid_request", "/boundary/single_source"},
		"private to everybody":   {`{"agent_id": "a", "elements": [], "boundary": {"private_to": {"*": ["e"]}}}`, "invalid_request", "/boundary/private_to/*"},
		"private without an id":  {`{"agent_id": "a", "elements": [], "boundary": {"private_to": {"a/b": ["e", ""]}}}`, "invalid_request", "/boundary/private_to/a~1b/1"},
		"private, but no list":   {`{"agent_id": "a", "elements": [], "boundary": {"private_to": {"b": "e"}}}`, "invalid_request", "/boundary/private_to/b"},
		"several elements twice": {`{"agent_id": "a", "elements": [], "elements": []}`, "invalid_json", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := refused(t, h.do(t, handoffCall(c.body)), http.StatusBadRequest, c.code)
			if pointer, _ := p["pointer"].(string); pointer != c.pointer {
				t.Errorf("pointer %q, want %q", pointer, c.pointer)
			}
		})
	}
	if n := len(h.ledger.records); n != 0 {
		t.Errorf("%d refused hand-offs are in the log", n)
	}
}

func TestHandOffOverALimit(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.Limits.Candidates, c.Limits.Members = 1, 3 })
	for name, c := range map[string]struct{ body, pointer string }{
		"elements": {`{"agent_id": "a", "elements": [{"element_id": "e"}, {"element_id": "f"}]}`, "/elements"},
		"private":  {`{"agent_id": "a", "elements": [], "boundary": {"private_to": {"b": ["e"], "c": ["e"]}}}`, "/boundary/private_to"},
		"agents":   {`{"agent_id": "a", "elements": [], "authorized_shared_agents": ["a", "b", "c", "d"]}`, "/authorized_shared_agents"},
	} {
		t.Run(name, func(t *testing.T) {
			p := refused(t, h.do(t, handoffCall(c.body)), http.StatusRequestEntityTooLarge, "too_large")
			if detail := p["detail"].(string); !strings.Contains(detail, c.pointer) {
				t.Errorf("detail %q, want one about %s", detail, c.pointer)
			}
		})
	}
}

// Without its row on disk nothing is answered.
func TestHandOffIsNotAnsweredUnrecorded(t *testing.T) {
	h := newServer(t, nil)
	h.ledger.refuse = errors.New("disk full")
	w := h.do(t, handoffCall(shared))
	refused(t, w, http.StatusServiceUnavailable, "log_unavailable")
	if strings.Contains(w.Body.String(), "e1") {
		t.Errorf("an element is in the answer: %s", w.Body)
	}
}

func TestHandOffNeedsItsScope(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("auditor", "audit", "", server.ScopeAudit),
			credential("runtime", "decide", "acme", server.ScopeDecide),
			credential("elsewhere", "other", "globex", server.ScopeAudit),
			credential("house", "house", "acme", server.ScopeAudit),
		}
	})
	ask := func(token, path string) call { return call{path: path, body: shared, header: bearerJSON(token)} }
	refused(t, h.do(t, ask("audit", "/v1/handoffs")), http.StatusForbidden, "forbidden")
	refused(t, h.do(t, ask("decide", "/v1/handoffs?explain=true")), http.StatusForbidden, "forbidden")
	refused(t, h.do(t, handoffCall(shared)), http.StatusUnauthorized, "unauthenticated")
	if n := len(h.ledger.records); n != 0 {
		t.Fatalf("%d hand-offs in the log, want none", n)
	}

	// It belongs to the tenant of the credential that asked.
	id := fields(t, h.do(t, ask("decide", "/v1/handoffs")))["decision_id"].(string)
	if got := h.ledger.records[0].Handoff.Request; got.Tenant != "acme" || got.RequestedBy != "runtime" {
		t.Errorf("tenant %q, asked by %q", got.Tenant, got.RequestedBy)
	}
	read := func(token string) call { return call{path: "/v1/decisions/" + id, header: bearer(token)} }
	refused(t, h.do(t, read("other")), http.StatusNotFound, "not_found")
	for _, token := range []string{"audit", "house"} {
		if w := h.do(t, read(token)); w.Code != http.StatusOK {
			t.Errorf("%s: %s", token, w.Body)
		}
	}
}

func bearerJSON(token string) http.Header {
	header := bearer(token)
	header.Set("Content-Type", "application/json")
	return header
}

func TestHandOffIsCounted(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Point = scripted{results: []policy.Result{{ID: "e1", Reasons: []string{policy.CodeInvariantViolation}}}}
	})
	h.do(t, handoffCall(shared))
	body := h.do(t, call{path: "/metrics"}).Body.String()
	for _, line := range []string{
		"earshot_invariant_violations_total 1\n",
		`earshot_decisions_total{verdict="BLEED_DETECTED"} 1` + "\n",
	} {
		if !strings.Contains(body, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}
