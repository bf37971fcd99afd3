package policytest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"earshot/policytest/world"
)

// checkFacts returns what facts and settings say that cannot matter, and where; an empty problem means
// that nothing is. The world is nil where the case has none.
func (c *Case) checkFacts(w *world.World) (where []string, problem string) {
	if c.Want.Refused != nil {
		for _, part := range []struct {
			key   string
			given bool
		}{
			{"settings", c.Settings != nil},
			{"facts", c.Facts.Roster != nil || c.Facts.Grants != nil || c.Facts.Seals != nil},
		} {
			if part.given {
				return []string{part.key}, fmt.Sprintf("a refused request is not decided, so %s say nothing; leave them out", part.key)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Facts.Grants)) {
		if len(c.Facts.Grants[id]) == 0 {
			return []string{"facts", "grants", id}, fmt.Sprintf("%s is granted to nobody; name those it is granted to", id)
		}
	}
	if w == nil {
		return nil, ""
	}
	for _, list := range c.listsOfNames() {
		for i, name := range list.names {
			if !w.Knows(name) {
				return append(list.where, strconv.Itoa(i)), fmt.Sprintf("%s is nobody in this world, so that it stands here says nothing", name)
			}
		}
	}
	return nil, ""
}

type namesAt struct {
	where []string
	names []string
}

// listsOfNames are the lists of people and agents in facts and settings.
func (c *Case) listsOfNames() []namesAt {
	var lists []namesAt
	if r := c.Facts.Roster; r != nil {
		lists = append(lists, namesAt{[]string{"facts", "roster", "members"}, r.Members}, namesAt{[]string{"facts", "roster", "revoked"}, r.Revoked})
	}
	for _, id := range slices.Sorted(maps.Keys(c.Facts.Grants)) {
		lists = append(lists, namesAt{[]string{"facts", "grants", id}, c.Facts.Grants[id]})
	}
	for _, key := range []string{"internal_bots", "revoked"} {
		lists = append(lists, namesAt{[]string{"settings", key}, texts(c.Settings[key])})
	}
	if by, ok := c.Settings["inherit_from"].(map[string]any); ok {
		for _, agent := range slices.Sorted(maps.Keys(by)) {
			lists = append(lists, namesAt{[]string{"settings", "inherit_from", agent}, texts(by[agent])})
		}
	}
	return lists
}

// texts returns the texts in a list of a setting. What else a setting may be is for the policy to judge.
func texts(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
