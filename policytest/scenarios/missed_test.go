package scenarios_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/scenarios"
)

// TestRuleOffIsMissed switches off a rule about labels that say too little. It stays on for the
// agent for which the engine tries a bundle, which would otherwise refuse it.
func TestRuleOffIsMissed(t *testing.T) {
	for _, test := range []struct {
		code, old, mutant string

		// admitted is how many scenarios admit a forbidden fact then.
		admitted int
	}{
		// What has no audience has no permit either: it stays out, with another reason.
		{"audience_missing", `if not audiences.bounded`, `if { not audiences.bounded; input.turn.agent == "canary:agent" }`, 0},
		{"unattributed", `input.candidate.agent == ""`, `input.candidate.agent == ""; input.turn.agent == "canary:agent"`, 4},
	} {
		t.Run(test.code, func(t *testing.T) {
			file := "earshot/rules/" + test.code + "/" + test.code + ".rego"
			text, err := fs.ReadFile(policy.EmbeddedFS(), file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), test.old) != 1 {
				t.Fatalf("%s has not %q once", file, test.old)
			}
			mutant, err := policytest.Replace(policy.EmbeddedFS(), map[string][]byte{
				file: []byte(strings.Replace(string(text), test.old, test.mutant, 1)),
			})
			if err != nil {
				t.Fatal(err)
			}
			report, err := scenarios.Run(t.Context(), scenarios.Seed, newConfig(t, policytest.NewPolicy(mutant)))
			if err != nil {
				t.Fatal(err)
			}
			if report.DecisionsAgreed == report.Scenarios || report.ForbiddenAdmitted != test.admitted {
				t.Errorf("the rule is off and the counts are %+v", report.Counts)
			}
		})
	}
}

// TestTraceIsMissed gives the suite decision points that show that something was denied. Their log
// has what they answer, so that nothing else is wrong with them.
func TestTraceIsMissed(t *testing.T) {
	deny := func(d *policy.Decision) (denied int) {
		_, denied = d.Counts()
		return denied
	}
	for _, test := range []struct {
		name string
		show func(*policy.Decision)
	}{
		{"in the directive", func(d *policy.Decision) { d.Directive += strings.Repeat("!", deny(d)) }},
		{"in the verdict", func(d *policy.Decision) {
			if deny(d) > 0 {
				d.Verdict = policy.BleedDetected
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := newConfig(t, shipped())
			point, entries := config.Point, map[string]*policy.Entry{}
			config.Point = deciderFunc(func(ctx context.Context, req policy.Request) (*policy.Decision, error) {
				d, err := point.Decide(ctx, req)
				if err == nil {
					test.show(d)
					entries[d.ID] = &d.Entry
				}
				return d, err
			})
			config.Recorded = func(_ context.Context, id string) (*policy.Entry, error) { return entries[id], nil }
			report, err := scenarios.Run(t.Context(), scenarios.Seed, config)
			if err != nil {
				t.Fatal(err)
			}
			if report.DecisionsAgreed != 75 || len(report.Misses) != 4 {
				t.Errorf("the counts are %+v: %v", report.Counts, report.Misses)
			}
			for _, miss := range report.Misses {
				if !strings.HasPrefix(miss, "existence opacity and direct look-up ") || !strings.Contains(miss, "leaves a trace") {
					t.Error(miss)
				}
			}
		})
	}
}
