package world

import (
	"maps"
	"slices"
)

// listeners are the people of this world who read what is said in a channel now, sorted: its members,
// and all who are at home in the tenant of a tenant channel, or everybody in a public one. Those who
// left are not among them.
func (w *World) listeners(c *channel) []string {
	in := map[string]bool{}
	for who := range w.people {
		in[who] = c.Kind == Public || c.Kind == WholeTenant && w.atHome(who, c.Tenant)
	}
	for _, m := range c.moves {
		in[m.who] = m.in
	}
	maps.DeleteFunc(in, func(_ string, in bool) bool { return !in })
	return slices.Sorted(maps.Keys(in))
}

// checkListeners refuses a turn that leaves out somebody who reads the answer, where nothing that the
// decision point is told gives that away: it would be right to tell what they did not hear. Doubts give
// it away.
func (w *World) checkListeners() error {
	here := &w.story.HereNow
	c := w.channels[here.Channel]
	if c == nil || len(w.Doubts()) > 0 {
		return nil
	}
	viewers := w.viewers()
	for _, who := range w.listeners(c) {
		switch {
		case slices.Contains(viewers, who):
		case here.Viewers != nil:
			return impossible([]string{"here_now", "viewers"}, "%s listens in %s, and this list leaves them out: nothing would tell", who, here.Channel)
		default:
			return impossible([]string{"here_now", "channel"}, "%s listens in %s, whose members leave them out: nothing would tell; make them a member, or give all who listen as viewers", who, here.Channel)
		}
	}
	return nil
}
