package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"earshot/policytest/world"
)

// says records a fact in a channel and returns its id.
func (d *draft) says(who, room string, v standing) string {
	return d.saysWith(who, room, v, world.Labels{})
}

// saysWith is says with labels.
func (d *draft) saysWith(who, room string, v standing, l world.Labels) string {
	if l.Kind == "" {
		l.Kind = pick(d.rand, []string{"message", "message", "fact", "document", "tool_result"})
	}
	return d.passes(who, who, room, v, l)
}

// passes records what somebody, or an agent that was asked to, gave in a channel for a user.
func (d *draft) passes(who, user, room string, v standing, l world.Labels) string {
	f := Fact{User: user, Agent: d.story.Agents[0], Channel: room, Open: d.story.Channels[room].Kind == world.Public}
	switch {
	case l.Agent != "":
		f.Agent = l.Agent
	case slices.Contains(d.story.Agents, who):
		f.Agent = who
	}
	id := d.fact(f, v)
	d.happen(world.Event{Who: who, Says: id, In: room, Labels: l})
	return id
}

// derives records what the agent made of other facts, for a user who asked it to.
func (d *draft) derives(user string, v standing, l world.Labels, from ...string) string {
	agent := d.story.Agents[0]
	f := Fact{User: user, Agent: agent}
	f.Channel, f.Open = d.lies(from)
	id := d.fact(f, v)
	d.happen(world.Event{Who: agent, Derives: id, From: from, Labels: l})
	return id
}

// lies returns where a store for each channel has what was derived from facts: in the channel of those
// that are not open, if it is one, and in the open if all are.
func (d *draft) lies(from []string) (channel string, open bool) {
	open = true
	for _, id := range from {
		f := d.facts[id]
		switch {
		case f.Open:
			continue
		case open:
			channel, open = f.Channel, false
		case f.Channel != channel:
			channel = ""
		}
	}
	return channel, open
}

// fact gives a fact an id and a text about its user, and returns the id.
func (d *draft) fact(f Fact, v standing) string {
	d.items++
	f.Type = d.topic.kind
	var templates []string
	switch {
	case v == forbidden:
		templates = d.topic.secrets
	case v == beside:
		f.Type, templates = "", idle()
	case d.tied:
		templates = d.topic.news
	default:
		templates = d.topic.hints
	}
	f.ID = fmt.Sprintf("%s-%d", pick(d.rand, []string{"m", "note", "msg", "rec"}), 100*d.items+d.rand.IntN(100))
	f.Text = text(pick(d.rand, templates), display(f.User), 2+d.rand.IntN(90))
	f.Forbidden = v == forbidden
	f.Relevance = relevance(d.topic.query, &f)
	d.facts[f.ID] = f
	return f.ID
}

// display is a principal as people write the name: without the directory it comes from.
func display(principal string) string {
	_, name, _ := strings.Cut(principal, ":")
	return name
}
