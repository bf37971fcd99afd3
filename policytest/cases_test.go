package policytest_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// casesDir holds the cases, one folder a topic.
const casesDir = "cases"

// readCases returns the cases about decisions.
func readCases(t *testing.T) []*policytest.Case {
	t.Helper()
	return slices.DeleteFunc(everyCase(t), ofHandoff)
}

// readHandoffs returns the cases about hand-offs.
func readHandoffs(t *testing.T) []*policytest.Case {
	t.Helper()
	return slices.DeleteFunc(everyCase(t), func(c *policytest.Case) bool { return !ofHandoff(c) })
}

func ofHandoff(c *policytest.Case) bool { return c.Handoff != nil }

func everyCase(t *testing.T) []*policytest.Case {
	t.Helper()
	cases, err := policytest.Read(os.DirFS(casesDir))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestCases holds every case against the policy that ships with the program.
func TestCases(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	topics := byTopic(everyCase(t))
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		t.Run(topic, func(t *testing.T) {
			for _, c := range topics[topic] {
				t.Run(path.Base(c.Name), func(t *testing.T) {
					diff, err := shipped.Check(t.Context(), c)
					if err != nil {
						t.Fatal(err)
					}
					if diff != "" {
						t.Errorf("%s\n%s\n%s", c.Claim, c.Why, diff)
					}
				})
			}
		})
	}
}

func byTopic(cases []*policytest.Case) map[string][]*policytest.Case {
	topics := map[string][]*policytest.Case{}
	for _, c := range cases {
		topic := path.Dir(c.Name)
		topics[topic] = append(topics[topic], c)
	}
	return topics
}

// aboutTheLog finds the claims that say what is in the log.
var aboutTheLog = regexp.MustCompile(`(?i)\b(log|logged|(is|are|and) recorded|auditors?)\b`)

// TestClaimsAboutTheLogSayWhatItHas asks those cases for the entry that they speak of.
func TestClaimsAboutTheLogSayWhatItHas(t *testing.T) {
	found := 0
	for _, c := range everyCase(t) {
		if !aboutTheLog.MatchString(c.Claim) {
			continue
		}
		found++
		if c.Want.Refused == nil && c.Want.Recorded == nil {
			t.Errorf("%s: the claim is about the log, and want has no recorded", c.Name)
		}
	}
	if found == 0 {
		t.Error("no case is about the log")
	}
}
