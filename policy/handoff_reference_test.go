package policy_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

func TestReferenceHandoffs(t *testing.T) {
	text, err := os.ReadFile("testdata/reference_handoffs.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Request struct {
			Agent    string `json:"agent_id"`
			Elements []struct {
				ID           string  `json:"element_id"`
				Source       *string `json:"source_agent_id"`
				Shared       bool    `json:"is_shared"`
				Confidential bool    `json:"is_confidential"`
			}
			Agents []string `json:"authorized_shared_agents"`
			Policy struct {
				Prohibit bool `json:"prohibit_confidential_inheritance"`
				Require  bool `json:"require_attribution"`
			}
		}
		Want struct {
			Verdict   policy.Verdict
			Directive string
			Manifest  string `json:"manifest_digest"`
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	for _, c := range cases {
		h := policy.Handoff{
			Agent: c.Request.Agent, Profile: policy.ProfileReference,
			Inheritance: policy.Inheritance{
				AuthorizedAgents:  c.Request.Agents,
				AllowConfidential: !c.Request.Policy.Prohibit, AllowUnattributed: !c.Request.Policy.Require,
			},
		}
		for _, e := range c.Request.Elements {
			element := policy.Element{ID: e.ID, Shared: e.Shared, Confidential: policy.NotConfidential, Kind: policy.KindFact}
			if e.Confidential {
				element.Confidential = policy.Confidential
			}
			if e.Source != nil {
				element.Source = *e.Source
			}
			h.Elements = append(h.Elements, element)
		}
		d, err := point.HandOff(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Want
		got.Verdict, got.Directive, got.Manifest = d.Verdict, d.Directive, d.ManifestDigest
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.Request, diff)
		}
		admits, _ := d.Counts()
		if proceed := strings.HasPrefix(d.Directive, "PROCEED"); proceed && admits != len(h.Elements) || !proceed && admits != 0 {
			t.Errorf("%s admits %d of %d elements", d.Directive, admits, len(h.Elements))
		}
	}
}

// A name beyond the basic plane, a quotation mark and a backslash are escaped as Python's json does.
func TestReferenceDigestEscapes(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	d, err := point.HandOff(t.Context(), policy.Handoff{Agent: "a\"\\/é😀\u007e", Profile: policy.ProfileReference})
	if err != nil {
		t.Fatal(err)
	}
	// Of {"agent": "a\"\\/\u00e9\ud83d\ude00~", "all_local": "TRUE", "elements": "0"}.
	const want = "dcc647dc0a4b230904c4cbada15783fa4117f845215a74ea384c2c1512ee737d"
	if d.ManifestDigest != want {
		t.Errorf("digest %s, want %s", d.ManifestDigest, want)
	}
}
