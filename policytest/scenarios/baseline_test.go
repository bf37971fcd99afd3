package scenarios_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest/scenarios"
)

// TestPerChannelHasDerivedFacts holds the baseline to what it claims: it reads what was derived in its
// channel, and not what was derived from another one.
func TestPerChannelHasDerivedFacts(t *testing.T) {
	for _, test := range []struct {
		name string
		want bool
	}{
		{"negative control 7", true},
		{"adversarial boundary 5", false},
		{"derived and aggregate 2", false},
	} {
		s := drawn(t, test.name)
		found := 0
		for i, read := range scenarios.Reads("per-channel silo", s) {
			if len(s.Request.Candidates[i].Sources) == 0 {
				continue
			}
			found++
			if read != test.want {
				t.Errorf("%s: the silo reads %s: %v", test.name, s.Facts[i].ID, read)
			}
		}
		if found == 0 {
			t.Errorf("%s has nothing that was derived", test.name)
		}
	}
}

// TestPerUserHasWhatWasHeard holds the baseline to what it claims: it reads what the one who asks heard
// from others, and nothing that was told to others alone.
func TestPerUserHasWhatWasHeard(t *testing.T) {
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	fromOthers := 0
	for _, s := range all {
		for i, read := range scenarios.Reads("per-user silo", s) {
			f := &s.Facts[i]
			if want := f.Relevant() && !f.Gone && (f.Open || s.World.Heard(s.Asker, f.ID)); read != want {
				t.Errorf("%s: the silo of %s reads %s: %v", s.Name, s.Asker, f.ID, read)
			}
			if read && !f.Open && f.User != s.Asker {
				fromOthers++
			}
		}
	}
	if fromOthers == 0 {
		t.Error("nobody who asks has heard anything from others")
	}
}

// TestLeaksOfLabelsAlone counts the scenarios in which a baseline reads nothing that somebody who listens
// did not hear, and what it must not read all the same. The package's documentation has the numbers.
func TestLeaksOfLabelsAlone(t *testing.T) {
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, name := range []string{"relevance only", "per-user silo", "per-channel silo", "filter after the model"} {
		for _, s := range all {
			if scenarios.LabelsAlone(name, s) {
				got[name]++
			}
		}
	}
	want := map[string]int{"relevance only": 3, "per-user silo": 9, "per-channel silo": 14, "filter after the model": 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the scenarios (-want +got):\n%s", diff)
	}
}
