package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestRecordAndList(t *testing.T) {
	h := newServer(t, nil)
	id := fields(t, h.do(t, call{body: four}))["decision_id"].(string)
	h.ledger.next = "next"

	record := fields(t, h.do(t, call{path: "/v1/decisions/" + id}))
	results := record["candidates"].([]any)
	if len(results) != 4 || results[1].(map[string]any)["result"].(map[string]any)["admit"] != false {
		t.Errorf("candidates %v", results)
	}

	// Without the results the record is a request, which gives the same results.
	for _, c := range results {
		delete(c.(map[string]any), "result")
	}
	again, err := json.Marshal(map[string]any{
		"turn": record["turn"], "inheritance": record["inheritance"], "candidates": results,
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := h.do(t, call{body: string(again)}); w.Code != http.StatusOK {
		t.Fatalf("the record cannot be sent again: %s", w.Body)
	}
	first, second := h.ledger.records[0], h.ledger.records[1]
	if diff := cmp.Diff(first.Request, second.Request); diff != "" {
		t.Errorf("request of the record (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(first.Results, second.Results); diff != "" {
		t.Errorf("results of the record (-first +second):\n%s", diff)
	}

	page := fields(t, h.do(t, call{path: "/v1/decisions"}))
	if page["next_cursor"] != "next" || len(page["decisions"].([]any)) != 2 {
		t.Errorf("page %v", page)
	}
	h.ledger.next = ""
	if page := fields(t, h.do(t, call{path: "/v1/decisions"})); page["next_cursor"] != nil {
		t.Errorf("last page has the cursor %v", page["next_cursor"])
	}
}

// What was wrong with a candidate is shown, and keeps it from being admitted later.
func TestRecordOfMalformedCandidate(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: `{"turn": {"agent": "a", "viewers": null}, "candidates": [
	  {"id": "m1", "audience": "public", "expires_at": "soon"}, 7]}`})
	w := h.do(t, call{path: "/v1/decisions/" + h.ledger.records[0].ID})
	candidates := fields(t, w)["candidates"].([]any)
	for i, want := range []string{"expires_at", ""} {
		fault := candidates[i].(map[string]any)["faults"].([]any)[0].(map[string]any)
		if fault["code"] != policy.CodeMalformed || fault["field"] != want {
			t.Errorf("candidate %d: fault %v", i, fault)
		}
	}
	if viewers, ok := fields(t, w)["turn"].(map[string]any)["viewers"]; !ok || viewers != nil {
		t.Errorf("viewers %v, want null", viewers)
	}
}

func TestRecordOfFacts(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: four})
	h.ledger.records[0].Facts = policy.Facts{
		Roster: &policy.Roster{Members: []string{"user:ann"}, Revoked: []string{"user:cat"}},
		Grants: map[int][]string{3: {"user:ann", "user:ben"}, 1: {"user:ann"}},
	}
	got := fields(t, h.do(t, call{path: "/v1/decisions/" + h.ledger.records[0].ID}))
	want := map[string]any{
		"roster": map[string]any{"members": []any{"user:ann"}, "revoked": []any{"user:cat"}},
		"grants": []any{
			map[string]any{"position": 1.0, "viewers": []any{"user:ann"}},
			map[string]any{"position": 3.0, "viewers": []any{"user:ann", "user:ben"}},
		},
	}
	if diff := cmp.Diff(want, map[string]any{"roster": got["roster"], "grants": got["grants"]}); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestPrunedDecisionsAreGone(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: four})
	h.ledger.records[0].Pruned = true
	refused(t, h.do(t, call{path: "/v1/decisions/" + h.ledger.records[0].ID}), 404, "not_found")
	if list := fields(t, h.do(t, call{}))["decisions"].([]any); len(list) != 0 {
		t.Errorf("decisions %v", list)
	}
}

// A damaged record is told from a failed decision, and hides no other.
func TestDamagedRecords(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: four})
	damage := fmt.Errorf("ledger row 3: %w", decisionlog.ErrDamaged)
	h.ledger.damaged = []decisionlog.Summary{
		{ID: "01931c5e-7d2a-7c1f-9a57-000000000009", At: decidedAt, PolicyRevision: "sha256:" + strings.Repeat("0", 64), Agent: "a", Damage: damage},
		{Log: policy.Position{Index: 3}, Damage: damage},
	}
	list := fields(t, h.do(t, call{}))["decisions"].([]any)
	if len(list) != 3 {
		t.Fatalf("decisions %v", list)
	}
	if _, marked := list[0].(map[string]any)["damaged"]; marked {
		t.Errorf("a sound decision: %v", list[0])
	}
	want := map[string]any{"damaged": true, "log": map[string]any{"index": 3.0}}
	if diff := cmp.Diff(want, list[2]); diff != "" {
		t.Errorf("a damaged one (-want +got):\n%s", diff)
	}
	if !strings.Contains(h.log.String(), `"level":"error","index":3,"cause":"ledger row 3: decision log is damaged"`) {
		t.Errorf("the log does not tell: %s", h.log)
	}

	h.ledger.fail = damage
	p := refused(t, h.do(t, call{path: "/v1/decisions/x"}), 500, "internal")
	if detail := p["detail"].(string); !strings.Contains(detail, "damaged") || strings.Contains(detail, "admitted") || strings.Contains(detail, "row 3") {
		t.Errorf("detail %q", detail)
	}
	if !strings.Contains(h.log.String(), `"cause":"internal: ledger row 3: decision log is damaged"`) {
		t.Errorf("the log does not tell the cause: %s", h.log)
	}
}
