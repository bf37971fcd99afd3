package scenarios_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"earshot/policytest/scenarios"
	"earshot/policytest/world"
)

// TestVariety counts how many scenarios differ by two measures. Names, topics and how many people there
// are count in neither. The package's documentation states both numbers.
func TestVariety(t *testing.T) {
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		of        func(*scenarios.Scenario) string
		published int
	}{
		{"what a decision point has to do", task, 55},
		{"how it came about", story, 79},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen := map[string][]string{}
			for _, s := range all {
				form := test.of(s)
				seen[form] = append(seen[form], s.Name)
			}
			if len(seen) == test.published {
				return
			}
			for _, form := range slices.Sorted(maps.Keys(seen)) {
				if len(seen[form]) > 1 {
					t.Log(seen[form], form)
				}
			}
			t.Errorf("there are %d distinct forms, not %d", len(seen), test.published)
		})
	}
}

// task is what a decision point sees of a scenario: the doubts about those who listen, and what is
// expected of items of what form.
func task(s *scenarios.Scenario) string {
	var items []string
	for i, e := range s.World.Expect() {
		c := s.Request.Candidates[i]
		items = append(items, fmt.Sprint(e.Admit, e.Reasons, c.Audience.Kind, len(c.Sources) > 0))
	}
	slices.Sort(items)
	return fmt.Sprint(s.World.Doubts(), items)
}

// story is the task and how it came about: the kind of room in which the question is asked, and of each
// event what was done, in what kind of room, whether the one who did it asks, listens or does neither
// now, and how many of those who listen heard what came of it. The order of events does not count.
func story(s *scenarios.Scenario) string {
	here := s.Story.HereNow
	turn := fmt.Sprint(task(s), s.Story.Channels[here.Channel].Kind, present(s, s.Asker), here.Basis, len(here.Readings))
	var events []string
	for _, e := range s.Story.Happened {
		form := fmt.Sprintf("; %s %s %s %d", verb(e), place(s, e), present(s, e.Who), len(e.From))
		for _, id := range []string{e.Says, e.Derives, e.Into} {
			if id != "" {
				form += " " + heard(s, id)
			}
		}
		events = append(events, form)
	}
	slices.Sort(events)
	return fmt.Sprint(turn, events)
}

func verb(e world.Event) string {
	switch {
	case e.Joins != "":
		return "joins"
	case e.Leaves != "":
		return "leaves"
	case e.LosesAccess != "":
		return "loses access to"
	case e.Says != "":
		return "says"
	case e.Derives != "":
		return "derives"
	case e.Edits != "":
		return "edits"
	case e.Erases != "":
		return "erases"
	default:
		return "imports"
	}
}

// place is the kind of room of an event, and whether the question is asked there.
func place(s *scenarios.Scenario, e world.Event) string {
	for _, name := range []string{e.Joins, e.Leaves, e.LosesAccess, e.In} {
		if name != "" {
			return fmt.Sprint(s.Story.Channels[name].Kind, name == s.Channel)
		}
	}
	return ""
}

// present is what somebody does in the turn.
func present(s *scenarios.Scenario, who string) string {
	switch {
	case who == s.Asker:
		return "asks"
	case slices.Contains(s.Request.Turn.Viewers, who):
		return "listens"
	default:
		return "is elsewhere"
	}
}

// heard is how many of those who listen heard an item.
func heard(s *scenarios.Scenario, id string) string {
	n := 0
	for _, who := range s.Request.Turn.Viewers {
		if s.World.Heard(who, id) {
			n++
		}
	}
	switch n {
	case 0:
		return "by none"
	case len(s.Request.Turn.Viewers):
		return "by all"
	default:
		return "by some"
	}
}
