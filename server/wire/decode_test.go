package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
)

// body returns a request with one candidate.
func body(candidate string) string {
	return `{"turn": {"agent": "agent:scribe", "viewers": ["user:ann"]}, "candidates": [` + candidate + `]}`
}

func TestDecodeDecisionWhole(t *testing.T) {
	const whole = `{
	  "turn": {
	    "id": "t-981", "attempt": 2, "tenant": "acme", "agent": "agent:scribe", "channel": "slack:C042",
	    "viewers": ["user:ben", "user:ann"], "viewers_basis": "guessed",
	    "external_viewers": ["user:ben"], "revoked_viewers": [],
	    "evidence": [
	      {"source": "slack", "viewers": ["user:ben"], "complete": false, "observed_at": "2026-11-30T21:00:00.5+01:00"},
	      {"viewers": []}
	    ],
	    "attributes": {"a" : [1, "é"]}
	  },
	  "inheritance": {"authorized_agents": ["agent:researcher"], "prohibit_confidential": false, "require_attribution": false},
	  "candidates": [
	    {"id": "m1", "audience": ["user:b", "user:a", "user:b"], "audience_basis": "inferred", "tenant": "acme", "channel": "c",
	     "agent": "agent:x", "shared": true, "confidential": true, "kind": "summary", "state": "erased",
	     "sources": [
	       {"id": "s1", "audience": "tenant", "tenant": "acme", "agent": "agent:x", "confidential": false,
	        "state": "superseded", "expires_at": "2027-01-01T00:00:00Z"},
	       {"sources": [{"audience": null}]}
	     ],
	     "recorded_at": "2026-01-01T00:00:00Z", "expires_at": "2026-12-31T23:59:59.123456789Z",
	     "digest": "sha256:00", "seal": "s", "store": "vector", "attributes": {}},
	    {"id": "m2", "audience": "public"},
	    {"id": "m3", "confidential": false, "sources": []},
	    {"id": "m4", "sources": [{}]}
	  ]
	}`
	got, err := wire.DecodeDecision([]byte(whole), wire.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := policy.Request{
		Turn: policy.Turn{
			ID: "t-981", Attempt: 2, Tenant: "acme", Agent: "agent:scribe", Channel: "slack:C042",
			Viewers: []string{"user:ben", "user:ann"}, ViewersBasis: "guessed",
			ExternalViewers: []string{"user:ben"}, RevokedViewers: []string{},
			Evidence: []policy.Evidence{
				{Source: "slack", Viewers: []string{"user:ben"}, ObservedAt: time.Date(2026, 11, 30, 20, 0, 0, 5e8, time.UTC)},
				{Viewers: []string{}, Complete: true},
			},
			Attributes: json.RawMessage(`{"a":[1,"é"]}`),
		},
		Inheritance: policy.Inheritance{
			AuthorizedAgents: []string{"agent:researcher"}, AllowConfidential: true, AllowUnattributed: true,
		},
		Candidates: []policy.Candidate{
			{
				ID: "m1", Audience: policy.Principals("user:a", "user:b"), AudienceBasis: "inferred", Tenant: "acme",
				Channel: "c", Agent: "agent:x", Shared: true, Confidential: policy.Confidential, Kind: "summary", State: "erased",
				Sources: []policy.Source{
					{
						ID: "s1", Audience: policy.WholeTenant(), Tenant: "acme", Agent: "agent:x",
						Confidential: policy.NotConfidential, State: "superseded", ExpiresAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
					},
					{
						Audience: policy.Audience{Kind: policy.AudienceInherited}, State: policy.StateLive,
						Sources: []policy.Source{{State: policy.StateLive}},
					},
				},
				RecordedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
				ExpiresAt:  time.Date(2026, 12, 31, 23, 59, 59, 123456789, time.UTC),
				Digest:     "sha256:00", Seal: "s", Store: "vector", Attributes: json.RawMessage(`{}`),
			},
			{ID: "m2", Audience: policy.Everybody(), AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive},
			{
				ID: "m3", AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive,
				Confidential: policy.NotConfidential,
			},
			{
				ID: "m4", Audience: policy.Audience{Kind: policy.AudienceInherited}, AudienceBasis: policy.BasisRecorded,
				Kind: policy.KindFact, State: policy.StateLive, Sources: []policy.Source{{State: policy.StateLive}},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestDecodeDecisionDefaults(t *testing.T) {
	tests := map[string]struct {
		turn string
		want []string
	}{
		"viewers absent": {`{"agent": "a"}`, nil},
		"viewers null":   {`{"agent": "a", "viewers": null}`, nil},
		"viewers empty":  {`{"agent": "a", "viewers": []}`, []string{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := wire.DecodeDecision([]byte(`{"turn": `+test.turn+`, "candidates": []}`), wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want := policy.Request{
				Turn:       policy.Turn{Attempt: 1, Agent: "a", ViewersBasis: policy.BasisPlatform, Viewers: test.want},
				Candidates: []policy.Candidate{},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}
