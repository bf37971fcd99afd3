package scenarios

import (
	"fmt"
	"strings"

	"earshot/policytest/world"
)

// says records a fact in a channel and returns its id.
func (d *draft) says(who, room string, v verdict) string {
	return d.saysWith(who, room, v, world.Labels{})
}

// saysWith is says with labels.
func (d *draft) saysWith(who, room string, v verdict, l world.Labels) string {
	if l.Kind == "" {
		l.Kind = pick(d.rand, []string{"message", "message", "fact", "document", "tool_result"})
	}
	f := Fact{User: who, Sender: who, Agent: d.story.Agents[0], Channel: room, Open: d.story.Channels[room].Kind == world.Public}
	if l.Agent != "" {
		f.Sender, f.Agent = l.Agent, l.Agent
	}
	id := d.fact(f, v)
	d.happen(world.Event{Who: who, Says: id, In: room, Labels: l})
	return id
}

// derives records what the agent made of other facts, for a user who asked it to.
func (d *draft) derives(user string, v verdict, l world.Labels, from ...string) string {
	agent := d.story.Agents[0]
	f := Fact{User: user, Sender: agent, Agent: agent}
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
func (d *draft) fact(f Fact, v verdict) string {
	d.items++
	templates := d.topic.news
	switch v {
	case forbidden:
		templates = d.topic.secrets
	case beside:
		templates = idle()
	}
	f.ID = fmt.Sprintf("%s-%d", pick(d.rand, []string{"m", "note", "msg", "rec"}), 100*d.items+d.rand.IntN(100))
	f.Text = text(pick(d.rand, templates), display(f.User), 2+d.rand.IntN(90))
	f.Forbidden = v == forbidden
	f.Relevance = relevance(d.topic.query, f.Text)
	d.facts[f.ID] = f
	return f.ID
}

// display is a principal as people write the name: without the directory it comes from.
func display(principal string) string {
	_, name, _ := strings.Cut(principal, ":")
	return name
}
