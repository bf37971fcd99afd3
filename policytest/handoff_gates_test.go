package policytest_test

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// TestEveryGateHasCases switches off each gate in turn, and then lets each hold always, and asks for a
// case that goes red: one in which the gate must hold, and one in which it must not.
func TestEveryGateHasCases(t *testing.T) {
	shipped := policy.EmbeddedFS()
	cases := readHandoffs(t)
	for i, r := range gates(t) {
		text, err := fs.ReadFile(shipped, r.file)
		if err != nil {
			t.Fatal(err)
		}
		for mistake, mutant := range map[string][]byte{
			"never holds":  weaken(t, shipped, r, fmt.Sprintf("input.handoff.agent == %q", canaryAgent)),
			"always holds": fmt.Appendf(text, "\n%s contains %q if input.handoff.agent != %q\n", r.name, r.code, canaryAgent),
		} {
			t.Run(fmt.Sprintf("%s/%s/%02d/%s", r.name, r.code, i, mistake), func(t *testing.T) {
				wrong := policytest.NewPolicy(replaced(t, shipped, map[string][]byte{r.file: mutant}))
				if by := killer(t, wrong, cases, r.code); !strings.HasPrefix(by, "handoffs/") {
					t.Errorf("%s: the gate %s %s and no case goes red, but %q", r.file, r.code, mistake, by)
				}
			})
		}
	}
}

// TestHandoffCasesAskEveryWay asks the cases for what hand-offs are made of: both profiles, each kind
// that a gate knows, each statement of a boundary, and each verdict.
func TestHandoffCasesAskEveryWay(t *testing.T) {
	got := map[string]bool{}
	for _, c := range readHandoffs(t) {
		profile, _ := c.Handoff["profile"].(string)
		if profile == "" {
			profile = "strict"
		}
		if c.Want.Refused == nil {
			got[profile+" "+c.Want.Verdict] = true
		}
		if folder := path.Base(path.Dir(c.Name)); c.Want.Refused == nil && folder != profile {
			t.Errorf("%s asks the %s profile", c.Name, profile)
		}
		boundary, _ := c.Handoff["boundary"].(map[string]any)
		for key := range boundary {
			got["boundary "+key] = true
		}
		elements, _ := c.Handoff["elements"].([]any)
		for _, element := range elements {
			if kind, ok := element.(map[string]any)["kind"].(string); ok {
				got["kind "+kind] = true
			}
		}
	}
	for _, want := range slices.Concat([]string{
		"boundary shared_substrate", "boundary single_source", "boundary private_to", "kind directive", "kind prior",
	}, everyVerdict("strict"), everyVerdict("reference")) {
		if !got[want] {
			t.Errorf("no case about a hand-off has: %s", want)
		}
	}
}

func everyVerdict(profile string) []string {
	var out []string
	for _, v := range []policy.Verdict{policy.IsolatedContext, policy.AuthorizedSharing, policy.BleedDetected, policy.UnattributedContext} {
		out = append(out, profile+" "+string(v))
	}
	return out
}
