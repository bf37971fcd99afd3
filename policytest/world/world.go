package world

import (
	"slices"
	"strconv"
	"time"
)

// World is a story that can have happened. It does not change.
type World struct {
	story Story
	now   time.Time

	people   map[string]bool // true where at home in the tenant
	agents   map[string]bool
	channels map[string]*channel
	items    []*item
	byID     map[string]*item

	// withdrawn are those whose access was withdrawn.
	withdrawn map[string]bool
}

// Tell returns the world of a story whose turn is at now. The error is an *ImpossibleError.
func Tell(s Story, now time.Time) (*World, error) {
	w := &World{
		story: s, now: now,
		people: map[string]bool{}, agents: map[string]bool{}, channels: map[string]*channel{},
		byID: map[string]*item{}, withdrawn: map[string]bool{},
	}
	if err := w.checkInstants(); err != nil {
		return nil, err
	}
	if err := w.declare(); err != nil {
		return nil, err
	}
	at := now.Add(-24 * time.Hour)
	for i := range s.Happened {
		place := []string{"happened", strconv.Itoa(i)}
		switch moment := s.Happened[i].At; {
		case moment.IsZero():
		case i > 0 && moment.Before(at):
			return nil, impossible(append(place, "at"), "time runs backwards: the event before is at %s", at.Format(time.RFC3339))
		default:
			at = moment
		}
		if at.After(now) {
			return nil, impossible(append(place, "at"), "this happens after the turn, which is at %s", now.Format(time.RFC3339))
		}
		if err := w.happen(i, at, place); err != nil {
			return nil, err
		}
	}
	if err := w.arrive(); err != nil {
		return nil, err
	}
	return w, nil
}

// Now is the moment of the turn.
func (w *World) Now() time.Time { return w.now }

// Items are the ids of all items, in the order in which they came into the world.
func (w *World) Items() []string {
	ids := make([]string, len(w.items))
	for i, it := range w.items {
		ids[i] = it.id
	}
	return ids
}

// Recalled are the ids of the items that retrieval finds for the turn, in order.
func (w *World) Recalled() []string {
	if w.story.HereNow.Recalls != nil {
		return slices.Clone(w.story.HereNow.Recalls)
	}
	return w.Items()
}

// declare takes over who and what there is.
func (w *World) declare() error {
	for _, group := range []struct {
		key   string
		names []string
		add   func(string)
	}{
		{"people", w.story.People, func(name string) { w.people[name] = true }},
		{"guests", w.story.Guests, func(name string) { w.people[name] = false }},
		{"agents", w.story.Agents, func(name string) { w.agents[name] = true }},
	} {
		for i, name := range group.names {
			place := []string{group.key, strconv.Itoa(i)}
			if problem := noName(name); problem != "" {
				return impossible(place, "%q %s; a case about names that are none gives a request", name, problem)
			}
			if w.Knows(name) {
				return impossible(place, "%s is there already", name)
			}
			group.add(name)
		}
	}
	if len(w.agents) == 0 {
		return impossible([]string{"agents"}, "there is no agent, so nothing is remembered")
	}
	return w.openChannels()
}

// Knows reports whether a person or an agent of this world has the name.
func (w *World) Knows(name string) bool { return w.isPerson(name) || w.agents[name] }

func (w *World) isPerson(name string) bool {
	_, ok := w.people[name]
	return ok
}

// atHome reports whether a person belongs to a tenant. Of people elsewhere the story does not say
// where they belong.
func (w *World) atHome(name, tenant string) bool { return w.people[name] && tenant == w.story.Tenant }
