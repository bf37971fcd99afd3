package policytest_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// TestHandoffMutants holds every wrong design of hand-offs against the cases of its profile and asks for one
// that goes red. A bundle that is refused is noticed before any.
func TestHandoffMutants(t *testing.T) {
	for _, profile := range []struct {
		name    string
		mutants []handoffMutant
		count   int // one that is dropped is missed here
	}{
		{"reference", inReference(), 14},
		{"strict", inStrict(), 25},
	} {
		var cases []*policytest.Case
		for _, c := range readHandoffs(t) {
			if strings.HasPrefix(c.Name, "handoffs/"+profile.name+"/") {
				cases = append(cases, c)
			}
		}
		if len(profile.mutants) != profile.count {
			t.Errorf("the %s profile has %d mutants, want %d", profile.name, len(profile.mutants), profile.count)
		}
		// Without a mistake every case holds.
		for _, m := range append(profile.mutants, handoffMutant{mistake: "none"}) {
			t.Run(profile.name+"/"+m.mistake, func(t *testing.T) {
				by, how := m.try(t, cases)
				if (by == "") != (m.mistake == "none") {
					t.Errorf("killed by %q: %s", by, how)
				}
				t.Logf("killed by %q: %s", by, shortened(strings.ReplaceAll(how, "\n", " ")))
			})
		}
	}
}

// try returns the first case that goes red, and how; both empty where none does.
func (m handoffMutant) try(t *testing.T, cases []*policytest.Case) (by, how string) {
	t.Helper()
	fsys, err := edited(policy.EmbeddedFS(), m.edits)
	if err != nil {
		t.Fatal(err)
	}
	wrong := policytest.NewPolicy(fsys)
	for _, c := range cases {
		engine, err := wrong.Engine(t.Context(), c.Settings)
		if errors.Is(err, policy.ErrBundle) && strings.Contains(err.Error(), "self-check") {
			return "load", err.Error()
		}
		if err != nil {
			t.Fatal(err)
		}
		how, err := policytest.CheckHandoff(t.Context(), engine, c, m.hears, m.answers)
		if err != nil {
			t.Fatal(err)
		}
		if how != "" {
			return c.Name, how
		}
	}
	return "", ""
}
