package server_test

import (
	"encoding/json"
	"testing"
)

// A chain goes through the contract and the log and comes back as the same question.
func TestHandOffOfAChain(t *testing.T) {
	h := newServer(t, nil)
	for name, c := range map[string]struct{ confidential, want string }{
		"open":         {"false", "AUTHORIZED_SHARING"},
		"confidential": {"true", "BLEED_DETECTED"},
	} {
		got := fields(t, h.do(t, handoffCall(`{"agent_id": "agent:billing",
			"elements": [{"element_id": "e1", "source_agent_id": "agent:intake", "is_shared": true, "is_confidential": false,
				"kind": "summary", "inherited_via": ["agent:legal"],
				"sources": [{"element_id": "s1", "source_agent_id": "agent:legal", "is_shared": true, "is_confidential": false,
					"kind": "node", "sources": [{"element_id": "s2", "source_agent_id": "agent:intake", "is_shared": true,
						"is_confidential": `+c.confidential+`, "inherited_via": ["agent:legal"]}]}]}],
			"authorized_shared_agents": ["agent:intake", "agent:legal"],
			"boundary": {"shared_substrate": true}}`)))
		if got["verdict"] != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
			continue
		}
		record := fields(t, h.do(t, call{path: "/v1/decisions/" + got["decision_id"].(string)}))
		request, err := json.Marshal(record["request"])
		if err != nil {
			t.Fatal(err)
		}
		again := fields(t, h.do(t, handoffCall(string(request))))
		if again["manifest_digest"] != got["manifest_digest"] {
			t.Errorf("%s: asked again the digest is %v, was %v", name, again["manifest_digest"], got["manifest_digest"])
		}
	}
}
