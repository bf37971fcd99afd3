package wire_test

import (
	"testing"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const wholeHandoff = `{
	"agent_id": "agent:billing",
	"elements": [
		{"element_id": "e1", "source_agent_id": "agent:intake", "is_shared": true, "is_confidential": false, "kind": "prior",
		 "digest": "sha256:00"},
		{"element_id": "e2", "source_agent_id": null, "is_confidential": true},
		{"element_id": "e3", "source_agent_id": ""}],
	"authorized_shared_agents": ["agent:intake"],
	"policy": {"prohibit_confidential_inheritance": false, "require_attribution": false},
	"boundary": {"shared_substrate": false, "single_source": "agent:intake", "private_to": {"agent:legal": ["e9"]}},
	"profile": "reference"}`

func TestDecodeHandoff(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want policy.Handoff
	}{
		"whole": {wholeHandoff, policy.Handoff{
			Agent: "agent:billing",
			Elements: []policy.Element{
				{ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: "prior", Digest: "sha256:00"},
				{ID: "e2", Confidential: policy.Confidential, Kind: "fact"},
				{ID: "e3", Kind: "fact"},
			},
			Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:intake"}, AllowConfidential: true, AllowUnattributed: true},
			Boundary: policy.Boundary{
				Stated: true, SharedSubstrate: policy.SubstrateSeparate, SingleSource: "agent:intake",
				PrivateTo: map[string][]string{"agent:legal": {"e9"}},
			},
			Profile: policy.ProfileReference,
		}},
		"what is left out is closed": {`{"agent_id": "a", "elements": []}`, policy.Handoff{
			Agent: "a", Elements: []policy.Element{}, Profile: policy.ProfileStrict,
		}},
		"switches that are on": {
			`{"agent_id": "a", "elements": [], "policy": {"prohibit_confidential_inheritance": true, "require_attribution": true}}`,
			policy.Handoff{Agent: "a", Elements: []policy.Element{}, Profile: policy.ProfileStrict},
		},
		"a boundary of null": {`{"agent_id": "a", "elements": [], "boundary": null}`, policy.Handoff{
			Agent: "a", Elements: []policy.Element{}, Profile: policy.ProfileStrict,
		}},
		"a boundary of nothing": {`{"agent_id": "a", "elements": [], "boundary": {}}`, policy.Handoff{
			Agent: "a", Elements: []policy.Element{}, Profile: policy.ProfileStrict,
		}},
		"a shared substrate": {`{"agent_id": "a", "elements": [], "boundary": {"shared_substrate": true}}`, policy.Handoff{
			Agent: "a", Elements: []policy.Element{}, Profile: policy.ProfileStrict,
			Boundary: policy.Boundary{Stated: true, SharedSubstrate: policy.SubstrateShared},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := wire.DecodeHandoff([]byte(c.body), wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever is decoded can be written again and means the same; whatever is not is refused with a code.
func FuzzDecodeHandoff(f *testing.F) {
	f.Add([]byte(wholeHandoff))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e"}], "boundary": {"private_to": {"": [""]}}}`))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e", "is_shared": 1}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		h, err := wire.DecodeHandoff(body, wire.Limits{})
		if err != nil {
			if refusal, ok := wire.AsError(err); !ok || refusal.Code == "" || refusal.Detail == "" {
				t.Fatalf("refused without a code: %v", err)
			}
			return
		}
		text, err := wire.Marshal(wire.EncodeHandoffRequest(&h))
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.DecodeHandoff(text, wire.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(h, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-first +again):\n%s", text, diff)
		}
	})
}
