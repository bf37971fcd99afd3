package wire_test

import (
	"strings"
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
		{"element_id": "e3", "source_agent_id": ""},
		{"element_id": "e4", "source_agent_id": "agent:intake", "inherited_via": ["agent:legal", "agent:billing", "agent:legal"],
		 "kind": "summary", "is_shared": false, "seal": "a.b.c",
		 "sources": [{"element_id": "s1", "source_agent_id": "agent:legal", "is_shared": true, "is_confidential": true,
		  "inherited_via": ["agent:intake"], "kind": "edge", "digest": "sha256:01",
		  "sources": [{"element_id": "s2", "source_agent_id": null}]}]},
		{"element_id": "e5", "seal": "a.b.c"},
		{"element_id": "e6", "seal": "a.b.c", "sources": [], "kind": "fact", "is_shared": false, "inherited_via": []}],
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
				{
					ID: "e4", Source: "agent:intake", Kind: "summary", Seal: "a.b.c",
					InheritedVia: []string{"agent:legal", "agent:billing", "agent:legal"},
					Sources: []policy.ElementSource{{
						ID: "s1", Source: "agent:legal", Shared: true, Confidential: policy.Confidential,
						InheritedVia: []string{"agent:intake"}, Kind: "edge", Digest: "sha256:01",
						Sources: []policy.ElementSource{{ID: "s2"}},
					}},
				},
				{ID: "e5", Kind: "fact", Seal: "a.b.c", Unstated: policy.LabelShared | policy.LabelKind | policy.LabelSources},
				{ID: "e6", Kind: "fact", Seal: "a.b.c"},
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

func TestElementsAreBounded(t *testing.T) {
	element := func(members string) string {
		return `{"agent_id": "a", "elements": [{"element_id": "e", ` + members + `}]}`
	}
	source := `{"element_id": "s"}`
	nested := strings.Repeat(`{"element_id": "s", "sources": [`, policy.MaxSourceDepth) + source +
		strings.Repeat("]}", policy.MaxSourceDepth)
	hands := strings.Repeat(`"agent:a",`, policy.MaxHands)
	for name, c := range map[string]struct{ body, code, pointer string }{
		"sources": {element(`"sources": [` + source + "," + source + "," + source + `]`), wire.CodeTooLarge, "/elements"},
		"hands":   {element(`"inherited_via": [` + hands + `"agent:b"]`), wire.CodeTooLarge, "/elements/0/inherited_via"},
		"depth": {
			element(`"sources": [` + nested + `]`), wire.CodeInvalidRequest,
			"/elements/0" + strings.Repeat("/sources/0", policy.MaxSourceDepth) + "/sources",
		},
		"a source without an id": {element(`"sources": [{"source_agent_id": "agent:a"}]`), wire.CodeInvalidRequest, "/elements/0/sources/0/element_id"},
		"an unknown member":      {element(`"sources": [{"element_id": "s", "seal": "a.b.c"}]`), wire.CodeInvalidRequest, "/elements/0/sources/0/seal"},
	} {
		t.Run(name, func(t *testing.T) {
			limits := wire.Limits{Sources: 2}
			if name == "depth" {
				limits = wire.Limits{}
			}
			_, err := wire.DecodeHandoff([]byte(c.body), limits)
			refusal, ok := wire.AsError(err)
			if !ok {
				t.Fatalf("%v, want a refusal", err)
			}
			// A long pointer is cut.
			start, cut := strings.CutSuffix(refusal.Pointer, "…")
			if refusal.Code != c.code || refusal.Pointer != c.pointer && (!cut || !strings.HasPrefix(c.pointer, start)) {
				t.Errorf("%+v, want %s at %s", refusal, c.code, c.pointer)
			}
		})
	}
}

// Whatever is decoded can be written again and means the same; whatever is not is refused with a code.
func FuzzDecodeHandoff(f *testing.F) {
	f.Add([]byte(wholeHandoff))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e"}], "boundary": {"private_to": {"": [""]}}}`))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e", "is_shared": 1}]}`))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e", "sources": [{"element_id": "", "sources": [{}]}]}]}`))
	f.Add([]byte(`{"agent_id": "a", "elements": [{"element_id": "e", "seal": "", "inherited_via": [null]}]}`))
	f.Add([]byte(`[]`))
	for _, seed := range bodiesOfCases(f, "handoff") {
		f.Add(seed)
	}
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
