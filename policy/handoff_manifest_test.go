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
		"as it is":     nil,
		"an id":        func(h *policy.Handoff) { h.Elements[0].ID = "e2" },
		"a digest":     func(h *policy.Handoff) { h.Elements[0].Digest = "sha256:" + strings.Repeat("0", 64) },
		"a kind":       func(h *policy.Handoff) { h.Elements[0].Kind = "message" },
		"its agent":    func(h *policy.Handoff) { h.Elements[0].Source = "agent:billing" },
		"shared":       func(h *policy.Handoff) { h.Elements[0].Shared = false },
		"confidential": func(h *policy.Handoff) { h.Elements[0].Confidential = policy.Confidential },
		"not stated":   func(h *policy.Handoff) { h.Elements[0].Confidential = policy.ConfidentialityUnstated },
		"a hand":       func(h *policy.Handoff) { h.Elements[0].InheritedVia = []string{"agent:intake"} },
		"two hands":    func(h *policy.Handoff) { h.Elements[0].InheritedVia = []string{"agent:intake", "agent:legal"} },
		"the order of hands": func(h *policy.Handoff) {
			h.Elements[0].InheritedVia = []string{"agent:legal", "agent:intake"}
		},
		"a seal":         func(h *policy.Handoff) { h.Elements[0].Seal = "a.b.c" },
		"another seal":   func(h *policy.Handoff) { h.Elements[0].Seal = "a.b.d" },
		"a source":       func(h *policy.Handoff) { derive(h, nil) },
		"source: id":     func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.ID = "s2" }) },
		"source: agent":  func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Source = "agent:legal" }) },
		"source: shared": func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Shared = false }) },
		"source: not stated": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.Confidential = policy.ConfidentialityUnstated })
		},
		"source: confidential": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.Confidential = policy.Confidential })
		},
		"source: kind": func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Kind = "message" }) },
		"source: digest": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.Digest = "sha256:" + strings.Repeat("0", 64) })
		},
		"source: a hand": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.InheritedVia = []string{"agent:intake"} })
		},
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

// derive makes the first element a summary over one source of the agent intake, changed by change.
func derive(h *policy.Handoff, change func(s *policy.ElementSource)) {
	s := policy.ElementSource{
		ID: "s1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: policy.KindFact,
	}
	if change != nil {
		change(&s)
	}
	h.Elements[0].Kind = "summary"
	h.Elements[0].Sources = []policy.ElementSource{s}
}

// A third party can make the digest from question and answer. This one was made by another program.
func TestManifestByAnother(t *testing.T) {
	h := inherit(func(h *policy.Handoff) {
		h.Agent = "agent:bücher"
		h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e9"}}
		h.Elements[0].InheritedVia = []string{"agent:legal", "agent:intake"}
		h.Elements[0].Seal = "sha256:845e30448809e2bc8958eb025bfc795235d13b077a53d0c3abbd2385170dc9b8" // of a.b.c
		derive(h, nil)
	})
	h.Profile = policy.ProfileStrict
	got, err := policy.HandoffManifest(&policy.HandoffEntry{
		PolicyRevision: "sha256:1", Request: h, Verdict: policy.AuthorizedSharing,
		Results: []policy.Result{admitted("e1", "authorized_sharing", "label_source")},
	})
	const want = "bbafec65500383c7c00a0d8a895a88aac044bbbf11ee2d6fab50db3ac981d15d"
	if err != nil || got != want {
		t.Errorf("digest %s, %v, want %s", got, err, want)
	}
}
