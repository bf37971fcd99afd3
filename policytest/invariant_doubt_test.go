package policytest_test

import (
	"slices"
	"testing"

	"earshot/policy"
)

// TestNoPolicyForgetsWhoMayListen asks a policy that takes every viewer set for known, and overlooks
// withdrawals, tenants and seals, for a list that covers the viewers. The engine's own test reads what was
// handed in and what the service knows.
func TestNoPolicyForgetsWhoMayListen(t *testing.T) {
	off := append(slices.Clone(audienceForbids), "revoked", "tenant_mismatch", "seal_invalid", "digest_mismatch")
	wrong := wrongPolicy(t, append(off, contractCodes["ambiguous"]...)...)
	for name, change := range map[string]func(*question){
		"revoked by the turn":     func(q *question) { q.Request.Turn.RevokedViewers = []string{"user:ann"} },
		"revoked by the settings": func(q *question) { q.Settings.Revoked = []string{"user:ann"} },
		"revoked by the roster": func(q *question) {
			q.Facts.Roster = &policy.Roster{Members: []string{"user:ann"}, Revoked: []string{"user:ann"}}
		},
		"a roster with one more": func(q *question) {
			q.Facts.Roster = &policy.Roster{Members: []string{"user:ann", "user:ben"}}
		},
		"a reading with one more": func(q *question) {
			q.Request.Turn.Evidence = []policy.Evidence{{Viewers: []string{"user:ann", "user:ben"}, Complete: true}}
		},
		"a reading that was cut short": func(q *question) {
			q.Request.Turn.Evidence = []policy.Evidence{{Viewers: []string{"user:ann"}}}
		},
		"a guess":        func(q *question) { q.Request.Turn.ViewersBasis = "guessed" },
		"another tenant": func(q *question) { q.Request.Candidates[0].Tenant = "globex" },
		"no tenant":      func(q *question) { q.Request.Candidates[0].Tenant = "" },
		"another tenant's source": func(q *question) {
			q.Request.Candidates[0].Sources = []policy.Source{{
				Audience: policy.Principals("user:ann"), State: policy.StateLive, Tenant: "globex",
			}}
		},
		"a seal of which nothing is known": func(q *question) { q.Request.Candidates[0].Seal = "x" },
		"a seal that is invalid": func(q *question) {
			q.Request.Candidates[0].Seal = "x"
			q.Facts.Seals = map[int]policy.SealCheck{0: {Differs: "audience"}}
		},
		"a seal of other content": func(q *question) {
			q.Request.Candidates[0].Seal = "x"
			q.Facts.Seals = map[int]policy.SealCheck{0: {Status: policy.SealOtherContent}}
		},
		"": func(q *question) { // control
			q.Request.Candidates[0].Seal = "x"
			q.Facts.Seals = map[int]policy.SealCheck{0: {Status: policy.SealValid}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := question{Now: now, Settings: allSettings()[0], Request: policy.Request{
				Turn: policy.Turn{
					Agent: "agent:scribe", Attempt: 1, Tenant: "acme",
					Viewers: []string{"user:ann"}, ViewersBasis: policy.BasisPlatform,
				},
				Candidates: []policy.Candidate{{
					ID: "m1", Audience: policy.Principals("user:ann"), AudienceBasis: policy.BasisRecorded,
					Tenant: "acme", Agent: "agent:scribe", Kind: policy.KindFact, State: policy.StateLive,
				}},
			}}
			change(&q)
			got, err := wrong.Decide(t.Context(), q.Now, q.Settings, q.Facts, q.Request)
			if err != nil {
				t.Fatal(err)
			}
			want := policy.Result{ID: "m1", Reasons: []string{policy.CodeInvariantViolation}}
			if name == "" {
				want = policy.Result{ID: "m1", Admit: true, Reasons: []string{"audience_covers_viewers"}}
			}
			if !equalResults(want, got.Results[0]) {
				t.Errorf("got %+v, want %+v", got.Results[0], want)
			}
		})
	}
}
