package policy_test

import (
	"strings"
	"testing"

	"earshot/policy"
)

// Whatever changes in the question or in the answer changes the digest.
func TestManifestCommitsToEverything(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	seen := map[string]string{}
	for name, change := range map[string]func(h *policy.Handoff){
		"as it is":        nil,
		"an id":           func(h *policy.Handoff) { h.Elements[0].ID = "e2" },
		"a digest":        func(h *policy.Handoff) { h.Elements[0].Digest = "sha256:" + strings.Repeat("0", 64) },
		"a kind":          func(h *policy.Handoff) { h.Elements[0].Kind = "message" },
		"a source":        func(h *policy.Handoff) { h.Elements[0].Source = "agent:billing" },
		"shared":          func(h *policy.Handoff) { h.Elements[0].Shared = false },
		"confidential":    func(h *policy.Handoff) { h.Elements[0].Confidential = policy.Confidential },
		"not stated":      func(h *policy.Handoff) { h.Elements[0].Confidential = policy.ConfidentialityUnstated },
		"one more":        func(h *policy.Handoff) { h.Elements = append(h.Elements, own("e2")) },
		"none":            func(h *policy.Handoff) { h.Elements = nil },
		"the agent":       func(h *policy.Handoff) { h.Agent = "agent:intake" },
		"authorised":      func(h *policy.Handoff) { h.Inheritance.AuthorizedAgents = []string{"agent:intake", "agent:legal"} },
		"a switch":        func(h *policy.Handoff) { h.Inheritance.AllowConfidential = true },
		"another switch":  func(h *policy.Handoff) { h.Inheritance.AllowUnattributed = true },
		"no boundary":     func(h *policy.Handoff) { h.Boundary = policy.Boundary{} },
		"substrate":       func(h *policy.Handoff) { h.Boundary.SharedSubstrate = policy.SubstrateSeparate },
		"open substrate":  func(h *policy.Handoff) { h.Boundary.SharedSubstrate = policy.SubstrateUnstated },
		"a single source": func(h *policy.Handoff) { h.Boundary.SingleSource = "agent:intake" },
		"a private one":   func(h *policy.Handoff) { h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e9"}} },
	} {
		d, err := point.HandOff(t.Context(), inherit(change))
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := seen[d.ManifestDigest]; taken || len(d.ManifestDigest) != 64 {
			t.Errorf("%s and %s have the same digest %q", name, other, d.ManifestDigest)
		}
		seen[d.ManifestDigest] = name
	}
}

// A third party can make the digest from question and answer. This one was made by another program.
func TestManifestByAnother(t *testing.T) {
	h := inherit(func(h *policy.Handoff) {
		h.Agent = "agent:bücher"
		h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e9"}}
	})
	h.Profile = policy.ProfileStrict
	got, err := policy.HandoffManifest(&policy.HandoffEntry{
		PolicyRevision: "sha256:1", Request: h, Verdict: policy.AuthorizedSharing,
		Results: []policy.Result{admitted("e1", "authorized_sharing", "label_source")},
	})
	const want = "2956c490629bc0ed57c03474330e7f02c2dacdfbaa1f40f99ed1eb4376985898"
	if err != nil || got != want {
		t.Errorf("digest %s, %v, want %s", got, err, want)
	}
}
