package world

import (
	"slices"
	"strconv"
	"strings"
)

// last is after every event.
func (w *World) last() int { return len(w.story.Happened) }

// roster is who is in the turn's channel now, sorted; nil where the turn names no channel.
func (w *World) roster() []string {
	if c := w.channels[w.story.HereNow.Channel]; c != nil {
		return c.roster(w.last())
	}
	return nil
}

// viewers are those whom the platform names; nil where it names nobody.
func (w *World) viewers() []string {
	switch here := &w.story.HereNow; {
	case here.ViewersUnknown:
		return nil
	case here.Viewers != nil:
		return slices.Clone(here.Viewers)
	default:
		return w.roster()
	}
}

// outsiders are those whom the platform names as coming from outside the tenant.
func (w *World) outsiders() []string {
	if w.story.HereNow.Outsiders != nil {
		return slices.Clone(w.story.HereNow.Outsiders)
	}
	var out []string
	for _, v := range w.viewers() {
		if w.isPerson(v) && !w.people[v] {
			out = append(out, v)
		}
	}
	return out
}

func (w *World) agent() string {
	if agent := w.story.HereNow.Agent; agent != "" {
		return agent
	}
	return w.story.Agents[0]
}

// arrive checks the turn.
func (w *World) arrive() error {
	here := &w.story.HereNow
	place := func(keys ...string) []string { return append([]string{"here_now"}, keys...) }
	switch {
	case here.Channel != "" && w.channels[here.Channel] == nil:
		return impossible(place("channel"), "there is no channel %s", here.Channel)
	case here.Channel == "" && here.Viewers == nil && !here.ViewersUnknown:
		return impossible(place(), "nobody is here: name the channel, or the viewers, or say viewers_unknown")
	case here.ViewersUnknown && here.Viewers != nil:
		return impossible(place("viewers"), "the viewers are either unknown or these")
	case !w.agents[w.agent()]:
		return impossible(place("agent"), "%s is not one of the agents", here.Agent)
	}
	for _, list := range []struct {
		keys  []string
		names []string
		known func(string) bool
		what  string
	}{
		{place("viewers"), here.Viewers, func(n string) bool { return w.isPerson(n) || namesNobody(n) }, "one of the people"},
		{place("outsiders"), here.Outsiders, w.isPerson, "one of the people"},
		{place("authorizes"), here.Authorizes, func(n string) bool { return w.agents[n] }, "one of the agents"},
		{place("recalls"), here.Recalls, func(id string) bool { return w.byID[id] != nil }, "an item of this world"},
	} {
		if err := check(list.keys, list.names, list.known, list.what); err != nil {
			return err
		}
	}
	if here.Outsiders != nil {
		for i, v := range w.viewers() {
			if w.isPerson(v) && !w.people[v] && !slices.Contains(here.Outsiders, v) {
				return impossible(place("viewers", strconv.Itoa(i)), "%s is a guest, and outsiders leaves them out: nothing would tell", v)
			}
		}
	}
	for i, r := range here.Readings {
		at := place("readings", strconv.Itoa(i))
		if r.Sees == nil && here.Channel == "" {
			return impossible(at, "a reading of no channel must say whom it sees")
		}
		if err := check(append(at, "sees"), r.Sees, w.isPerson, "one of the people"); err != nil {
			return err
		}
	}
	return w.checkListeners()
}

func check(place, names []string, known func(string) bool, what string) error {
	for i, name := range names {
		if !known(name) {
			return impossible(append(place[:len(place):len(place)], strconv.Itoa(i)), "%s is not %s", name, what)
		}
	}
	return nil
}

// nameless are the words that programs use where they do not know who it is, as the wire contract
// lists them.
var nameless = [...]string{
	"unknown", "default", "default_user", "default-user", "anonymous", "none", "null", "undefined", "static-user",
}

// namesNobody reports whether a name is one of those words, in any case, with or without the
// prefix of a user.
func namesNobody(name string) bool {
	return slices.Contains(nameless[:], strings.TrimPrefix(strings.ToLower(name), "user:"))
}
