package policytest_test

import (
	"context"
	"encoding/json"
	"slices"

	"earshot/policytest"
	"earshot/policytest/world"
)

// memories write down something else than who was there. The decision point is the right one: the
// cases that tell a small world show what a wrong label does.
func memories() []mutant {
	return []mutant{
		remembers("members now instead of members then", "joins_and_leaves", func(m moment) []string { return m.members(m.last(), nil) }),
		remembers("author only", "threads", func(m moment) []string {
			if who := m.story.Happened[m.at].Who; slices.Contains(m.members(m.at, nil), who) {
				return []string{who}
			}
			return m.members(m.at, nil)
		}),
		remembers("leave is ignored", "joins_and_leaves", func(m moment) []string {
			return m.members(m.at, func(e world.Event, _ int) bool { return e.Leaves != "" || e.LosesAccess != "" })
		}),
		remembers("join is ignored", "joins_and_leaves", func(m moment) []string {
			return m.members(m.at, func(e world.Event, _ int) bool { return e.Joins != "" })
		}),
		remembers("join is back-dated", "joins_and_leaves", func(m moment) []string {
			return m.members(m.last(), func(e world.Event, at int) bool { return at > m.at && e.Joins == "" })
		}),
		remembers("leave is back-dated", "joins_and_leaves", func(m moment) []string {
			return m.members(m.last(), func(e world.Event, at int) bool { return at > m.at && e.Joins != "" })
		}),
		remembers("everybody who ever was a member", "joins_and_leaves", func(m moment) []string {
			return m.members(m.last(), func(e world.Event, _ int) bool { return e.Joins == "" })
		}),
		remembers("members when the room began", "joins_and_leaves", func(m moment) []string { return m.members(0, nil) }),
		remembers("an edited text keeps its first hearers", "erasure/the_new_text", func(m moment) []string {
			at := m.at
			for m.story.Happened[at].Edits != "" {
				at = m.said(m.story.Happened[at].Edits)
			}
			return m.members(at, nil)
		}),
		remembers("everybody in this world", "threads", func(m moment) []string { return slices.Concat(m.story.People, m.story.Guests) }),
		remembers("people of the tenant alone", "guests/a_guest_hears_again", func(m moment) []string {
			return slices.DeleteFunc(m.members(m.at, nil), func(who string) bool { return slices.Contains(m.story.Guests, who) })
		}),
		remembers("those who spoke in the room", "joins_and_leaves", func(m moment) []string {
			var spoke []string
			for _, e := range m.story.Happened {
				if e.In == m.room() {
					spoke = append(spoke, e.Who)
				}
			}
			return spoke
		}),
	}
}

// moment is when an item was said, as an event of a story.
type moment struct {
	story *world.Story
	at    int
}

func (m moment) last() int { return len(m.story.Happened) }

// said returns the event that made an item.
func (m moment) said(id string) int {
	return slices.IndexFunc(m.story.Happened, func(e world.Event) bool { return e.Says == id || e.Into == id })
}

// room returns the channel in which the item was said.
func (m moment) room() string {
	e := m.story.Happened[m.at]
	for e.Edits != "" {
		e = m.story.Happened[m.said(e.Edits)]
	}
	return e.In
}

// members returns who is in the room when the event at a position happens, sorted, as far as somebody
// knows who passes over some events.
func (m moment) members(at int, passesOver func(e world.Event, at int) bool) []string {
	in := slices.Clone(m.story.Channels[m.room()].Members)
	for i, e := range m.story.Happened[:at] {
		switch room := m.room(); {
		case passesOver != nil && passesOver(e, i):
		case e.Joins == room:
			in = append(in, e.Who)
		case e.Leaves == room, e.LosesAccess == room:
			in = slices.DeleteFunc(in, func(who string) bool { return who == e.Who })
		}
	}
	return distinct(in)
}

// remembers is a mutant of the memory that writes down other hearers for what was said in a room of
// its members.
func remembers(mistake, about string, hearers func(moment) []string) mutant {
	return mutant{mistake, inMemory, about, func(_ context.Context, s subject) (subject, error) {
		s.body = func(c *policytest.Case) ([]byte, error) {
			body, err := c.Body()
			if err != nil || c.World == nil {
				return body, err
			}
			root, err := parse(body)
			if err != nil {
				return nil, err
			}
			eachLabel(root, func(l fields) {
				m := moment{story: c.World}
				id, _ := l["id"].(string)
				if m.at = m.said(id); m.at < 0 {
					return
				}
				if _, listed := l["audience"].([]any); listed {
					l["audience"] = anyOf(hearers(m))
				}
			})
			return json.Marshal(root)
		}
		return s, nil
	}}
}
