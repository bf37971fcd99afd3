package wire_test

import (
	"testing"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
)

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := wire.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// denied returns a decision as an engine could leave it at its barest: no list is set.
func denied() *policy.Decision {
	return &policy.Decision{Entry: policy.Entry{
		ID: "d", At: time.Date(2026, 11, 30, 21, 0, 1, 0, time.FixedZone("", 3600)), PolicyRevision: "p",
		Request:   policy.Request{Turn: policy.Turn{Attempt: 1, Agent: "a"}, Candidates: []policy.Candidate{{ID: "<m&>"}}},
		Viewers:   policy.Viewers{Digest: "v"},
		Verdict:   policy.IsolatedContext,
		Directive: "PROCEED: Agent a has isolated context.",
		Results:   []policy.Result{{ID: "<m&>", Reasons: []string{"audience_missing"}, Obligations: []string{"never on a deny"}}},
	}}
}

func TestEncodeDecisionWithoutLog(t *testing.T) {
	answer := wire.EncodeDecision(denied(), nil)
	answer.Log = nil
	want := `{"decision_id":"d","decided_at":"2026-11-30T20:00:01.000000Z","policy_revision":"p",` +
		`"viewers":{"status":"ambiguous","reasons":[],"digest":"v"},"verdict":"ISOLATED_CONTEXT",` +
		`"directive":"PROCEED: Agent a has isolated context.","admitted":[],` +
		`"results":[{"position":0,"id":"<m&>","admit":false,"reasons":["audience_missing"]}],` +
		`"counts":{"admitted":0,"denied":1},"log":null}`
	if diff := cmp.Diff(want, marshal(t, answer)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestEncodeDetail(t *testing.T) {
	tests := map[string]struct {
		detail policy.Detail
		want   string
	}{
		"empty": {policy.Detail{}, `{"faults":[],"missing_viewers":[],"narrower_sources":[],"rules":[]}`},
		"full": {
			policy.Detail{
				Faults:          []policy.Fault{{Code: "malformed", Field: "id", Problem: "is required"}},
				MissingViewers:  []string{"user:ann"},
				NarrowerSources: []policy.NarrowerSource{{ID: "s"}},
				Failure:         "x.rego:7: conflict",
				Rules:           []policy.Rule{{Code: "c", Title: "t", Description: "d", Package: "data.x", File: "x.rego", Row: 7}},
			},
			`{"faults":[{"code":"malformed","field":"id","problem":"is required"}],"missing_viewers":["user:ann"],` +
				`"narrower_sources":[{"id":"s","missing_viewers":[]}],"failure":"x.rego:7: conflict",` +
				`"rules":[{"code":"c","title":"t","description":"d","package":"data.x","file":"x.rego","row":7}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer := wire.EncodeDecision(denied(), []policy.Detail{test.detail})
			if diff := cmp.Diff(test.want, marshal(t, answer.Results[0].Detail)); diff != "" {
				t.Errorf("detail (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEncodeSummary(t *testing.T) {
	at := time.Date(2026, 11, 30, 20, 0, 1, 0, time.UTC)
	log := policy.Position{Index: 1<<64 - 1, Leaf: [32]byte{1}}
	const leaf = `"leaf":"sha256:0100000000000000000000000000000000000000000000000000000000000000"`
	tests := map[string]struct {
		summary decisionlog.Summary
		want    string
	}{
		"sound": {
			decisionlog.Summary{
				ID: "d", At: at, PolicyRevision: "p", Log: log, RequestedBy: "r", TurnID: "t", Attempt: 2, Tenant: "acme",
				Channel: "c", Agent: "a", Viewers: policy.Viewers{Known: true, Present: []string{"user:ann"}, Digest: "v"},
				Verdict: policy.IsolatedContext, Admitted: 3, Denied: 1,
			},
			`{"decision_id":"d","decided_at":"2026-11-30T20:00:01.000000Z","policy_revision":"p","requested_by":"r","tenant":"acme",` +
				`"channel":"c","agent":"a","turn_id":"t","attempt":2,` +
				`"viewers":{"status":"known","reasons":[],"present":["user:ann"]},"verdict":"ISOLATED_CONTEXT",` +
				`"counts":{"admitted":3,"denied":1},"log":{"index":18446744073709551615,` + leaf + `}}`,
		},
		"damaged": {
			decisionlog.Summary{ID: "d", At: at, PolicyRevision: "p", Log: log, Damage: decisionlog.ErrDamaged, Agent: "a"},
			`{"damaged":true,"decision_id":"d","decided_at":"2026-11-30T20:00:01.000000Z","policy_revision":"p",` +
				`"log":{"index":18446744073709551615,` + leaf + `}}`,
		},
		"damaged to the leaf": {
			decisionlog.Summary{Log: policy.Position{Index: 3}, Damage: decisionlog.ErrDamaged},
			`{"damaged":true,"log":{"index":3}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, marshal(t, wire.EncodeSummary(&test.summary))); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
		})
	}
	if diff := cmp.Diff(`{"decisions":[],"next_cursor":null}`, marshal(t, wire.Page{Decisions: []wire.Line{}})); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}
