package server_test

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"earshot/server"

	"github.com/google/go-cmp/cmp"
)

// four has two items of the room, one of another agent and one summary over narrower sources.
const four = `{
  "turn": {"id": "t-981", "agent": "agent:scribe", "channel": "slack:C042", "viewers": ["user:ann", "user:ben"]},
  "inheritance": {"authorized_agents": ["agent:researcher"], "prohibit_confidential": true, "require_attribution": true},
  "candidates": [
    {"id": "m1", "audience": ["user:ann", "user:ben", "user:cat"], "agent": "agent:scribe"},
    {"id": "m2", "audience": ["user:ann"], "agent": "agent:scribe"},
    {"id": "m3", "audience": "public", "agent": "agent:researcher", "shared": true, "confidential": false},
    {"id": "s1", "audience": ["user:ann", "user:ben"], "agent": "agent:scribe", "kind": "summary",
     "sources": [{"id": "m1", "audience": ["user:ann", "user:ben", "user:cat"]}, {"id": "m2", "audience": ["user:ann"]}]}
  ]
}`

func TestDecide(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, call{body: four})
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, %s: %s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	entry := h.ledger.records[0].Entry
	want := `{"decision_id":"01931c5e-7d2a-7c1f-9a57-000000000001","decided_at":"2026-11-30T20:00:01.123456Z",` +
		`"policy_revision":"` + entry.PolicyRevision + `",` +
		`"viewers":{"status":"known","reasons":[],"digest":"` + entry.Viewers.Digest + `"},` +
		`"verdict":"AUTHORIZED_SHARING","directive":"PROCEED: 1 authorized shared elements.","admitted":["m1","m3"],"results":[` +
		`{"position":0,"id":"m1","admit":true,"reasons":["audience_covers_viewers"],"obligations":[]},` +
		`{"position":1,"id":"m2","admit":false,"reasons":["viewer_not_in_audience"]},` +
		`{"position":2,"id":"m3","admit":true,"reasons":["public"],"obligations":["label_source"]},` +
		`{"position":3,"id":"s1","admit":false,"reasons":["source_audience_narrower"]}],` +
		`"counts":{"admitted":2,"denied":2},` +
		`"log":{"index":0,"leaf":"sha256:` + hex.EncodeToString(h.ledger.records[0].Log.Leaf[:]) + `"}}` + "\n"
	if diff := cmp.Diff(want, w.Body.String()); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if err := requestConforms(t, call{body: four}); err != nil {
		t.Errorf("the document refuses the request: %v", err)
	}
}

func TestDecideNothing(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, call{body: `{"turn": {"agent": "agent:scribe"}, "candidates": []}`})
	got := fields(t, w)
	if diff := cmp.Diff([]any{}, got["admitted"]); diff != "" {
		t.Errorf("admitted:\n%s", diff)
	}
	if diff := cmp.Diff([]any{}, got["results"]); diff != "" {
		t.Errorf("results:\n%s", diff)
	}
	viewers := got["viewers"].(map[string]any)
	if viewers["status"] != "ambiguous" || !cmp.Equal(viewers["reasons"], []any{"viewers_missing"}) {
		t.Errorf("viewers %v", viewers)
	}
	if len(h.ledger.records) != 1 {
		t.Errorf("%d decisions recorded, want 1", len(h.ledger.records))
	}
}

// A candidate that is wrong in itself takes nobody along, and says which field is wrong.
func TestDecideMalformedCandidate(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, call{body: `{"turn": {"agent": "agent:scribe", "viewers": ["user:ann"]}, "candidates": [
	  {"id": "m1", "audience": "[\"user:ann\"]", "agent": "agent:scribe"}, {"id": "m2", "audience": ["user:ann"], "agent": "agent:scribe"},
	  {"id": "m3", "audience": "public", "text": "secret"}]}`})
	got := fields(t, w)
	if diff := cmp.Diff([]any{"m2"}, got["admitted"]); diff != "" {
		t.Errorf("admitted:\n%s", diff)
	}
	results := got["results"].([]any)
	for i, want := range map[int]string{0: "malformed audience", 2: "unknown_field text"} {
		fault := results[i].(map[string]any)["detail"].(map[string]any)["faults"].([]any)[0].(map[string]any)
		if got := fault["code"].(string) + " " + fault["field"].(string); got != want {
			t.Errorf("position %d: %q, want %q", i, got, want)
		}
	}
	if _, ok := results[1].(map[string]any)["detail"]; ok {
		t.Error("a sound candidate has a detail")
	}
	if strings.Contains(w.Body.String(), "secret") {
		t.Error("the answer repeats a value of an unknown field")
	}
}

func TestExplain(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, call{path: "/v1/decisions?explain=true", body: four})
	results := fields(t, w)["results"].([]any)
	detail := func(i int) map[string]any { return results[i].(map[string]any)["detail"].(map[string]any) }
	if diff := cmp.Diff([]any{"user:ben"}, detail(1)["missing_viewers"]); diff != "" {
		t.Errorf("missing viewers:\n%s", diff)
	}
	narrower := []any{map[string]any{"id": "m2", "missing_viewers": []any{"user:ben"}}}
	if diff := cmp.Diff(narrower, detail(3)["narrower_sources"]); diff != "" {
		t.Errorf("narrower sources:\n%s", diff)
	}
	rule := detail(0)["rules"].([]any)[0].(map[string]any)
	if rule["code"] != "audience_covers_viewers" || rule["file"] == "" || rule["row"] == 0.0 {
		t.Errorf("rule %v", rule)
	}
}

// The request of the document's example is decided as its answer says.
func TestDocumentedExample(t *testing.T) {
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	post := doc.Paths.Value("/v1/decisions").Post
	example := post.RequestBody.Value.Content["application/json"].Examples["four-candidates"].Value.Value
	body, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	want := post.Responses.Value("200").Value.Content["application/json"].Examples["four-candidates"].Value.Value.(map[string]any)
	got := fields(t, newServer(t, nil).do(t, call{body: string(body)}))
	for _, field := range []string{"verdict", "directive", "admitted", "results", "counts"} {
		a, err := json.Marshal(want[field])
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(got[field])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(a), string(b)); diff != "" {
			t.Errorf("%s (-documented +answered):\n%s", field, diff)
		}
	}
}

func TestServedDocument(t *testing.T) {
	w := newServer(t, nil).do(t, call{path: "/openapi.yaml"})
	want, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if w.Body.String() != string(want) {
		t.Error("the served document is not the one in the repository")
	}
}

func TestRequestedBy(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Auth = []server.Credential{credential("gateway", "secret", "", server.ScopeDecide, server.ScopeAudit)}
	})
	h.do(t, call{body: four, header: http.Header{"Authorization": {"Bearer secret"}, "Content-Type": {"application/json"}}})
	if got := h.ledger.records[0].Request.RequestedBy; got != "gateway" {
		t.Errorf("requested by %q", got)
	}
	record := fields(t, h.do(t, call{path: "/v1/decisions/" + h.ledger.records[0].ID, header: bearer("secret")}))
	if record["requested_by"] != "gateway" {
		t.Errorf("record says %v", record["requested_by"])
	}
}
