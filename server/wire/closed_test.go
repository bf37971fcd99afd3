package wire_test

import (
	"testing"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A value that does not fit reads as the one that opens nothing, apart from the fault that denies.
func TestFaultyFieldsReadAsClosed(t *testing.T) {
	for name, test := range map[string]struct {
		candidate string
		want      policy.Candidate
	}{
		"all of another type": {
			`{"id": "m", "audience": 1, "audience_basis": 1, "tenant": 1, "channel": 1, "agent": 1, "shared": "true",
			 "confidential": "false", "kind": 1, "sources": 1, "state": 1, "recorded_at": 1, "expires_at": 1, "digest": 1,
			 "seal": 1, "store": 1, "attributes": 1}`,
			policy.Candidate{ID: "m"},
		},
		"all null": {
			`{"id": "m", "audience": null, "audience_basis": null, "shared": null, "confidential": null, "kind": null, "state": null}`,
			policy.Candidate{ID: "m"},
		},
		"a source of other types": {
			`{"id": "m", "sources": [{"id": 1, "audience": 1, "tenant": 1, "agent": 1, "confidential": 1, "state": 1, "expires_at": 1, "sources": 1}]}`,
			policy.Candidate{
				ID: "m", Audience: policy.Audience{Kind: policy.AudienceInherited}, AudienceBasis: policy.BasisRecorded,
				Kind: policy.KindFact, State: policy.StateLive, Sources: []policy.Source{{}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			diff := cmp.Diff(test.want, only(t, test.candidate), cmpopts.IgnoreFields(policy.Candidate{}, "Faults"))
			if diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A fault of one field leaves the others as they were said.
func TestAFaultLeavesOtherFieldsAlone(t *testing.T) {
	got := only(t, `{"id": "m", "shared": 1, "audience": ["user:ann"], "agent": "agent:x"}`)
	if diff := cmp.Diff(policy.Principals("user:ann"), got.Audience); diff != "" || got.Agent != "agent:x" || len(got.Faults) != 1 {
		t.Errorf("agent %q, faults %v, audience (-want +got):\n%s", got.Agent, got.Faults, diff)
	}
}

// Only what states no audience takes that of its sources.
func TestAStatedAudienceIsNotInherited(t *testing.T) {
	const sources = `"sources": [{"audience": "public"}]`
	inherited := policy.Audience{Kind: policy.AudienceInherited}
	for stated, want := range map[string]policy.Audience{
		``:                            inherited,
		`"audience": null, `:          {},
		`"audience": [], `:            {},
		`"audience": ["user:ann"], `:  policy.Principals("user:ann"),
		`"audience": "tenant", `:      policy.WholeTenant(),
		`"audience": "everybody", `:   {},
		`"audience": ["user:a", 1], `: {},
	} {
		item := only(t, `{"id": "m", `+stated+sources+`}`)
		source := only(t, `{"id": "m", "sources": [{`+stated+sources+`}]}`).Sources[0]
		for place, got := range map[string]policy.Audience{"item": item.Audience, "source": source.Audience} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s with %s (-want +got):\n%s", place, stated, diff)
			}
		}
	}
	for name, got := range map[string]policy.Audience{
		"no sources at all":  only(t, `{"id": "m"}`).Audience,
		"no sources in it":   only(t, `{"id": "m", "sources": []}`).Audience,
		"a source of none":   only(t, `{"id": "m", "sources": [{}]}`).Sources[0].Audience,
		"a source of an end": only(t, `{"id": "m", "sources": [{"sources": []}]}`).Sources[0].Audience,
	} {
		if diff := cmp.Diff(policy.Audience{}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The first of several faults of a turn is the one that is answered.
func TestTheFirstFaultIsAnswered(t *testing.T) {
	_, err := wire.DecodeDecision([]byte(`{"turn": {"id": 1, "agent": "a", "tenant": 2}, "inheritance": 3, "candidates": []}`), wire.Limits{})
	if refusal, ok := wire.AsError(err); !ok || refusal.Pointer != "/turn/id" {
		t.Errorf("got %v, want one about /turn/id", err)
	}
}

// only returns the one candidate of a request.
func only(t *testing.T, candidate string) policy.Candidate {
	t.Helper()
	req, err := wire.DecodeDecision([]byte(body(candidate)), wire.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return req.Candidates[0]
}
