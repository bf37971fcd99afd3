package policytest_test

import (
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	ledger "earshot/policytest/world"
)

// TestLedgerAgreesWithTheCases compares what a case wants with what the ledger of its world says. A
// case that changes the settings, or that uses a rule that authors added, has more to say.
func TestLedgerAgreesWithTheCases(t *testing.T) {
	told := 0
	for _, c := range readCases(t) {
		if c.World == nil || c.Settings != nil || c.Facts.Roster != nil || c.Facts.Grants != nil {
			continue
		}
		told++
		t.Run(c.Name, func(t *testing.T) {
			w, err := ledger.Tell(*c.World, c.Now)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]ledger.Expected, len(c.Want.Results))
			for i, r := range c.Want.Results {
				want[i] = ledger.Expected(r)
			}
			if diff := cmp.Diff(want, w.Expect(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the results (-case +ledger):\n%s", diff)
			}
			if diff := cmp.Diff(c.Want.Viewers.Reasons, w.Doubts(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the doubts (-case +ledger):\n%s", diff)
			}
		})
	}
	if told == 0 {
		t.Error("no case tells a world")
	}
}

// TestWorldsAreTold holds the topics that a policy author copies from to cases in the words of the
// domain.
func TestWorldsAreTold(t *testing.T) {
	want := []string{
		"bots", "caller_chosen_scope", "child_agents", "derived", "erasure", "expiry", "guests", "ids", "injection",
		"joins_and_leaves", "laundering", "migration", "null_and_default", "private_to_group", "rosters", "threads", "types",
	}
	var got []string
	for _, c := range readCases(t) {
		if topic := path.Dir(c.Name); c.World != nil && !slices.Contains(got, topic) {
			got = append(got, topic)
		}
	}
	slices.Sort(got)
	for _, topic := range want {
		if !slices.Contains(got, topic) {
			t.Errorf("the topic %s tells no world", topic)
		}
	}
}
