package world

import "time"

// verb is one thing that an event can say.
type verb struct {
	key    string
	object string
	do     func(*told) error
}

// told is one event as it is told.
type told struct {
	*Event
	w     *World
	index int
	at    time.Time
	place []string
}

// of returns the place of a key of the event.
func (t *told) of(key string) []string { return append(t.place[:len(t.place):len(t.place)], key) }

// happen applies the event at a position.
func (w *World) happen(index int, at time.Time, place []string) error {
	event := w.story.Happened[index] // A copy: the story stays as it was told.
	t := &told{Event: &event, w: w, index: index, at: at, place: place}
	var verbs []verb
	for _, v := range []verb{
		{"joins", t.Joins, func(t *told) error { return w.enter(t.Joins, t.Who, index, t.of("joins")) }},
		{"leaves", t.Leaves, func(t *told) error { return w.leave(t.Leaves, t.Who, index, t.of("leaves")) }},
		{"loses_access_to", t.LosesAccess, (*told).loseAccess},
		{"says", t.Says, (*told).say},
		{"derives", t.Derives, (*told).derive},
		{"edits", t.Edits, (*told).edit},
		{"erases", t.Erases, (*told).erase},
		{"imports", t.Imports, (*told).importItem},
	} {
		if v.object != "" {
			verbs = append(verbs, v)
		}
	}
	switch {
	case len(verbs) == 0:
		return impossible(place, "nothing happens: say who joins, leaves, loses_access_to, says, derives, edits, erases or imports what")
	case len(verbs) > 1:
		return impossible(t.of(verbs[1].key), "one event is one thing, and this one %s and %s", verbs[0].key, verbs[1].key)
	case !w.Knows(t.Who):
		return impossible(t.of("who"), "%q is neither a person nor an agent of this world", t.Who)
	}
	if err := t.checkKeys(verbs[0].key); err != nil {
		return err
	}
	return verbs[0].do(t)
}

// checkKeys refuses what does not belong to the verb: it would be passed over without a word.
func (t *told) checkKeys(verb string) error {
	makes := verb == "says" || verb == "derives" || verb == "edits" || verb == "imports"
	for _, key := range []struct {
		name    string
		present bool
		fits    bool
	}{
		{"in", t.In != "", verb == "says"},
		{"from", t.From != nil, verb == "derives"},
		{"into", t.Into != "", verb == "edits"},
		{"kind", t.Kind != "", makes},
		{"agent", t.Agent != "", makes},
		{"shared", t.Shared, makes},
		{"confidential", t.Confidential != nil, makes},
		{"until", !t.Until.IsZero(), makes},
		{"lie", t.Lie != "", makes},
	} {
		if key.present && !key.fits {
			return impossible(t.of(key.name), "%s says nothing about somebody who %s", key.name, verb)
		}
	}
	return nil
}

func (t *told) loseAccess() error {
	if err := t.w.leave(t.LosesAccess, t.Who, t.index, t.of("loses_access_to")); err != nil {
		return err
	}
	t.w.withdrawn[t.Who] = true
	return nil
}
