package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/policytest/scenarios"
)

// drawn returns the scenario with a name, drawn anew.
func drawn(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(s *scenarios.Scenario) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("there is no scenario %s", name)
	}
	return all[at]
}

// TestCheckRefuses spoils a scenario in one way each.
func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		name, scenario, want string
		spoil                func(*scenarios.Scenario)
	}{
		{"a recipient who is not there", "owner-private 2", "neither listens nor is the agent",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Flow.Subject }},
		{"a recipient of no name where viewers are known", "owner-private 1", "the recipient is not known",
			func(s *scenarios.Scenario) { s.Flow.Recipient = scenarios.Unknown }},
		{"a recipient who heard it", "owner-private 1", "would be news to",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Flow.Subject }},
		{"a viewer where the agent is kept from it", "trusted canonical shared 2", "would be news to",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Request.Turn.Viewers[0] }},
		{"the agent where it keeps the fact itself", "owner-private 1", "would be news to",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Request.Turn.Agent }},
		{"a subject whom no fact is about", "derived and aggregate 3", "no living forbidden fact about",
			func(s *scenarios.Scenario) { s.Flow.Subject = s.World.Hearers(s.Facts[0].ID)[0] + "x" }},
		{"the subject of another fact", "adversarial boundary 8", "given by",
			func(s *scenarios.Scenario) { s.Flow.Subject = otherSubject(s) }},
		{"another sender", "derived and aggregate 1", "given by",
			func(s *scenarios.Scenario) { s.Flow.Sender = s.Request.Turn.Viewers[1] + "x" }},
		{"no information type", "owner-private 1", "no information type",
			func(s *scenarios.Scenario) { s.Flow.Type = "" }},
		{"no transmission principle", "owner-private 1", "no transmission principle",
			func(s *scenarios.Scenario) { s.Flow.Principle = "" }},
		{"a permitted fact that fits better", "existence opacity and direct look-up 2", "the forbidden fits the query by",
			func(s *scenarios.Scenario) { favour(s, false) }},
		{"a forbidden fact that is permitted", "owner-private 1", "the family says",
			func(s *scenarios.Scenario) { forget(s) }},
		{"no doubt where there is one", "ambiguous or unknown viewer 1", "the doubts",
			func(s *scenarios.Scenario) { s.Ambiguous = false }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := drawn(t, test.scenario)
			if err := scenarios.Check(s); err != nil {
				t.Fatal(err)
			}
			test.spoil(s)
			if err := scenarios.Check(s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one with %q", err, test.want)
			}
		})
	}
}

// otherSubject is whom another forbidden fact is about.
func otherSubject(s *scenarios.Scenario) string {
	for _, f := range s.Facts {
		if f.Forbidden && f.User != s.Flow.Subject {
			return f.User
		}
	}
	return ""
}

// favour lets the facts of one sort fit the query as well as can be, and the others just.
func favour(s *scenarios.Scenario, forbidden bool) {
	for i := range s.Facts {
		s.Facts[i].Relevance = 50
		if s.Facts[i].Forbidden == forbidden {
			s.Facts[i].Relevance = 100
		}
	}
}

// forget lets the family forget that a fact is forbidden.
func forget(s *scenarios.Scenario) {
	for i := range s.Facts {
		s.Facts[i].Forbidden = false
	}
}

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
		for i, read := range scenarios.PerChannel(s) {
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
