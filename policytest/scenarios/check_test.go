package scenarios_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest/scenarios"
	"earshot/policytest/world"
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
		{"a recipient who heard it", "owner-private 1", "does not break the principle",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Flow.Subject }},
		{"a viewer where the agent is kept from it", "trusted canonical shared 2", "does not break the principle",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Request.Turn.Viewers[0] }},
		{"the agent where it keeps the fact itself", "owner-private 1", "would be no news to",
			func(s *scenarios.Scenario) { s.Flow.Recipient = s.Request.Turn.Agent }},
		{"a fact that is not there", "owner-private 1", "no living forbidden fact",
			func(s *scenarios.Scenario) { s.Flow.Fact += "0" }},
		{"a fact that is permitted", "owner-private 1", "no living forbidden fact",
			func(s *scenarios.Scenario) {
				s.Flow.Fact = fact(s, func(f scenarios.Fact) bool { return !f.Forbidden })
			}},
		{"a fact that is gone", "existence opacity and direct look-up 2", "no living forbidden fact",
			func(s *scenarios.Scenario) { s.Flow.Fact = fact(s, func(f scenarios.Fact) bool { return f.Gone }) }},
		{"a fact that nobody gave", "trusted canonical shared 1", "nobody said or derived",
			func(s *scenarios.Scenario) { s.Flow.Fact = imported(s) }},
		{"another subject", "adversarial boundary 8", "is not about the subject",
			func(s *scenarios.Scenario) { s.Flow.Subject = s.Story.People[0] }},
		{"a subject whom the text does not name", "adversarial boundary 8", "is not about the subject", rename},
		{"another sender", "derived and aggregate 1", "gave",
			func(s *scenarios.Scenario) { s.Flow.Sender = s.Flow.Subject }},
		{"the agent of the label as the sender", "adversarial boundary 4", "gave",
			func(s *scenarios.Scenario) { s.Flow.Sender = s.Story.Agents[0] }},
		{"no information type", "owner-private 1", "is information of the type",
			func(s *scenarios.Scenario) { s.Flow.Type = "" }},
		{"an information type that there is not", "owner-private 1", "is information of the type",
			func(s *scenarios.Scenario) { s.Flow.Type = "weather" }},
		{"an information type that the text has not", "owner-private 1", "is information of the type", talkOfTheWeather},
		{"no transmission principle", "owner-private 1", "there is no transmission principle",
			func(s *scenarios.Scenario) { s.Flow.Principle = "" }},
		{"a transmission principle that there is not", "owner-private 1", "there is no transmission principle",
			func(s *scenarios.Scenario) { s.Flow.Principle = "told to nobody, on the moon" }},
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

// fact is the first fact that fits.
func fact(s *scenarios.Scenario, fits func(scenarios.Fact) bool) string {
	return s.Facts[slices.IndexFunc(s.Facts, fits)].ID
}

// imported is what came out of an older store.
func imported(s *scenarios.Scenario) string {
	return fact(s, func(f scenarios.Fact) bool {
		return slices.ContainsFunc(s.Story.Happened, func(e world.Event) bool { return e.Imports == f.ID })
	})
}

// rename lets the fact of the flow, and its label, be about somebody else than the text.
func rename(s *scenarios.Scenario) {
	s.Flow.Subject = s.Story.People[0]
	for i := range s.Facts {
		s.Facts[i].User = s.Flow.Subject
	}
}

// talkOfTheWeather gives the facts and the label another type than the texts.
func talkOfTheWeather(s *scenarios.Scenario) {
	s.Flow.Type = "weather"
	for i := range s.Facts {
		s.Facts[i].Type = s.Flow.Type
	}
}

// TestPrinciplesTellApart gives the flow of every scenario every other principle. One is refused, unless
// it is true of the flow as well.
func TestPrinciplesTellApart(t *testing.T) {
	// Of a fact that these are true of, the others may be too.
	alsoTrue := map[scenarios.Principle][]scenarios.Principle{
		scenarios.ToldElsewhere: {scenarios.ToldGroup},
	}
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	used := map[scenarios.Principle]bool{}
	for _, s := range all {
		right := s.Flow.Principle
		used[right] = true
		for _, wrong := range scenarios.Principles() {
			s.Flow.Principle = wrong
			if err := scenarios.Check(s); err == nil && wrong != right && !slices.Contains(alsoTrue[right], wrong) {
				t.Errorf("%s breaks the principle %q, and is taken to break %q", s.Name, right, wrong)
			}
		}
	}
	if diff := cmp.Diff(scenarios.Principles(), slices.Sorted(maps.Keys(used))); diff != "" {
		t.Errorf("the principles in use (-there are +used):\n%s", diff)
	}
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
