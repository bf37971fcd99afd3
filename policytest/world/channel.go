package world

import (
	"maps"
	"slices"
	"strconv"
)

// channel is a channel with what happened to its membership.
type channel struct {
	Channel
	moves []move
}

// move is one person's coming or going.
type move struct {
	event int // the position of the event; -1 for those who were there from the beginning
	who   string
	in    bool
}

// inside reports whether somebody is in the channel when the event at a position happens.
func (c *channel) inside(who string, event int) bool {
	in := false
	for _, m := range c.moves {
		if m.event >= event {
			break
		}
		if m.who == who {
			in = m.in
		}
	}
	return in
}

// roster returns who is in the channel when the event at a position happens, sorted.
func (c *channel) roster(event int) []string {
	in := map[string]bool{}
	for _, m := range c.moves {
		if m.event < event {
			in[m.who] = m.in
		}
	}
	maps.DeleteFunc(in, func(_ string, in bool) bool { return !in })
	return slices.Sorted(maps.Keys(in))
}

func (w *World) openChannels() error {
	for _, name := range slices.Sorted(maps.Keys(w.story.Channels)) {
		c := &channel{Channel: w.story.Channels[name]}
		place := []string{"channels", name}
		if !slices.Contains([]string{Direct, Group, WholeTenant, Public}, c.Kind) {
			return impossible(append(place, "kind"), "a channel is direct, group, tenant or public, and this one is %q", c.Kind)
		}
		if c.Tenant == "" {
			c.Tenant = w.story.Tenant
		}
		w.channels[name] = c
		for i, who := range c.Members {
			if err := w.enter(name, who, -1, append(place, "members", strconv.Itoa(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter lets somebody into a channel.
func (w *World) enter(name, who string, event int, place []string) error {
	c, ok := w.channels[name]
	switch {
	case !ok:
		return impossible(place, "there is no channel %s", name)
	case !w.isPerson(who):
		return impossible(place, "%s is not one of the people", who)
	case c.inside(who, event+1):
		return impossible(place, "%s is in %s already", who, name)
	case w.withdrawn[who]:
		return impossible(place, "the access of %s was withdrawn, so nobody lets them into %s", who, name)
	case c.Kind == WholeTenant && !w.atHome(who, c.Tenant):
		return impossible(place, "%s is a channel of the whole tenant, and %s is not at home there", name, who)
	case c.Kind == Direct && len(c.roster(event+1)) == 2:
		return impossible(place, "%s is a direct channel and has two people already", name)
	}
	c.moves = append(c.moves, move{event: event, who: who, in: true})
	return nil
}

// leave lets somebody out of a channel.
func (w *World) leave(name, who string, event int, place []string) error {
	c, ok := w.channels[name]
	switch {
	case !ok:
		return impossible(place, "there is no channel %s", name)
	case !w.isPerson(who):
		return impossible(place, "%s is not one of the people", who)
	case !c.inside(who, event):
		return impossible(place, "%s leaves %s without being in it", who, name)
	}
	c.moves = append(c.moves, move{event: event, who: who})
	return nil
}
