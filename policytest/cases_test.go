package policytest_test

import (
	"maps"
	"os"
	"path"
	"slices"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// casesDir holds the cases, one folder a topic.
const casesDir = "cases"

func readCases(t *testing.T) []*policytest.Case {
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
	topics := byTopic(readCases(t))
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
