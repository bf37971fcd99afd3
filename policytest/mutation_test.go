package policytest_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
)

// contractCodes are the reason codes of the wire contract that rules give, by what the rule does.
// The codes that Go alone gives (policy_error, invariant_violation) are no rules.
var contractCodes = map[string][]string{
	"permit": {"audience_covers_viewers", "granted", "public", "tenant_wide"},
	"forbid": {
		"agent_not_authorized", "audience_missing", "audience_not_recorded", "confidential_from_other_agent",
		"derived_without_sources", "digest_mismatch", "expired", "external_viewer", "foreign_directive",
		"item_not_live", "malformed", "revoked", "seal_invalid", "seal_required", "source_audience_narrower",
		"source_not_live", "tenant_mismatch", "unattributed", "unknown_field", "unshared_from_other_agent",
		"viewer_not_in_audience", "viewers_ambiguous",
	},
	"ambiguous": {
		"evidence_disagrees", "evidence_incomplete", "evidence_stale", "external_not_viewer", "roster_disagrees",
		"viewer_placeholder", "viewers_empty", "viewers_missing", "viewers_not_authenticated",
	},
	"oblige": {"label_source"},
}

// TestEveryCodeIsARule compares the rules of the bundle with the contract, so that the mutations
// below leave none out.
func TestEveryCodeIsARule(t *testing.T) {
	got := map[string][]string{}
	for _, r := range readRules(t, policy.EmbeddedFS()) {
		if r.local() || r.ofHandoff() {
			continue
		}
		if codes := got[r.name]; !slices.Contains(codes, r.code) {
			got[r.name] = append(codes, r.code)
		}
	}
	for _, codes := range got {
		slices.Sort(codes)
	}
	if diff := gocmp.Diff(contractCodes, got); diff != "" {
		t.Errorf("the rules of the bundle are not those of the contract (-contract +bundle):\n%s", diff)
	}
}

// TestEveryRuleIsMissed switches off each rule of a decision in turn and asks for a case that goes red.
func TestEveryRuleIsMissed(t *testing.T) {
	shipped := policy.EmbeddedFS()
	cases := readCases(t)
	for i, r := range readRules(t, shipped) {
		if r.ofHandoff() {
			continue
		}
		t.Run(fmt.Sprintf("%s/%s/%02d", r.name, r.reported(), i), func(t *testing.T) {
			mutant := replaced(t, shipped, map[string][]byte{
				r.file: weaken(t, shipped, r, fmt.Sprintf("input.turn.agent == %q", canaryAgent)),
			})
			killer := killer(t, policytest.NewPolicy(mutant), cases, r.reported())
			if killer == "" {
				t.Fatalf("%s: %s is off and every case holds", r.file, r.code)
			}
			t.Logf("%s: missed by %s", r.reported(), killer)
		})
	}
}

// killer returns the name of the first case that the mutant does not hold, the cases that speak of
// code first, or the self-check where the mutant does not even load; empty where nothing misses the
// difference.
func killer(t *testing.T, mutant *policytest.Policy, cases []*policytest.Case, code string) string {
	t.Helper()
	switch _, err := mutant.Engine(t.Context(), nil); {
	case err != nil && strings.Contains(err.Error(), "self-check"):
		return "the self-check of the engine"
	case err != nil:
		t.Fatalf("the mutant does not compile, so no case can miss anything: %v", err)
	}
	ordered := slices.SortedStableFunc(slices.Values(cases), func(a, b *policytest.Case) int {
		return cmp.Compare(mentions(b, code), mentions(a, code))
	})
	for _, c := range ordered {
		diff, err := mutant.Check(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if diff != "" {
			return c.Name
		}
	}
	return ""
}

// mentions returns 1 where the answer that c wants has the code.
func mentions(c *policytest.Case, code string) int {
	found := c.Want.Viewers != nil && slices.Contains(c.Want.Viewers.Reasons, code)
	for _, r := range c.Want.Results {
		found = found || slices.Contains(r.Reasons, code) || slices.Contains(r.Obligations, code)
	}
	if found {
		return 1
	}
	return 0
}
