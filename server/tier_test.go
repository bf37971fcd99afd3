package server_test

import (
	"strings"
	"testing"

	"earshot/policy"
	"earshot/server"
)

// TestTierIsTold asks for how the policy is worked out, before and after it changed.
func TestTierIsTold(t *testing.T) {
	tier, differences := policy.Tier{Compiled: true, Interpreted: []string{"a", "b"}}, uint64(0)
	h := newServer(t, func(c *server.Config) {
		c.Tier = func() policy.Tier { return tier }
		c.Differences = func() uint64 { return differences }
	})
	expect := func(ready string, metrics ...string) {
		t.Helper()
		c := call{path: "/readyz"}
		w := h.do(t, c)
		if got := fields(t, w)["policy_tier"]; got != ready {
			t.Errorf("got the tier %v, want %s", got, ready)
		}
		text := h.do(t, call{path: "/metrics"}).Body.String()
		for _, line := range metrics {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%q is not among the metrics", line)
			}
		}
	}
	expect("compiled", "earshot_policy_compiled 1", "earshot_policy_interpreted_rules 2", "earshot_policy_differences_total 0")
	tier, differences = policy.Tier{Why: "they disagree"}, 1
	expect("interpreted", "earshot_policy_compiled 0", "earshot_policy_interpreted_rules 0", "earshot_policy_differences_total 1")
}

func TestTierThatIsNotKnownIsNotTold(t *testing.T) {
	h := newServer(t, nil)
	if _, ok := fields(t, h.do(t, call{path: "/readyz"}))["policy_tier"]; ok {
		t.Error("/readyz has a tier")
	}
	if strings.Contains(h.do(t, call{path: "/metrics"}).Body.String(), "earshot_policy_compiled") {
		t.Error("/metrics has a tier")
	}
}
