package world

import "slices"

// kinds are those of the wire contract; the last three are derived.
var kinds = [...]string{"message", "fact", "document", "tool_result", "directive", "prior", "summary", "node", "edge"}

const firstDerivedKind = 6

// isDerivedKind reports whether an item of the kind must name its sources.
func isDerivedKind(kind string) bool { return slices.Contains(kinds[firstDerivedKind:], kind) }

// record takes an item into the world. The key leads to its id in the event.
func (t *told) record(it *item, key string) error {
	it.event, it.at = t.index, t.at
	switch {
	case t.w.byID[it.id] != nil:
		return impossible(t.of(key), "there is an item %s already", it.id)
	case !slices.Contains(kinds[:], it.Kind):
		return impossible(t.of("kind"), "%q is not a kind of item", it.Kind)
	case isDerivedKind(it.Kind) && it.scope != forHearers:
		return impossible(t.of("kind"), "a %s is derived, and %s was not", it.Kind, it.id)
	case !t.w.agents[it.Agent]:
		return impossible(t.of("agent"), "%s is not one of the agents", it.Agent)
	case !it.Until.IsZero() && !it.Until.After(it.at):
		return impossible(t.of("until"), "%s expires before it is there", it.id)
	}
	if problem := it.Lie.fits(it); problem != "" {
		return impossible(t.of("lie"), "%s: %s", it.Lie, problem)
	}
	t.w.items = append(t.w.items, it)
	t.w.byID[it.id] = it
	return nil
}

// labels returns the labels of the event with what it leaves open filled in.
func (t *told) labels(kind string) Labels {
	l := t.Labels
	if l.Kind == "" {
		l.Kind = kind
	}
	switch {
	case l.Agent != "":
	case t.w.agents[t.Who]:
		l.Agent = t.Who
	default:
		l.Agent = t.w.story.Agents[0]
	}
	return l
}

// find returns an item that is there and was not erased or edited.
func (t *told) find(id string, place []string) (*item, error) {
	it := t.w.byID[id]
	switch {
	case it == nil:
		return nil, impossible(place, "there is no item %q yet", id)
	case it.state == erased:
		return nil, impossible(place, "%s is erased already", id)
	case it.state == superseded:
		return nil, impossible(place, "%s was edited already; name the new text", id)
	}
	return it, nil
}

// findHeard is find for something that the one who acts must know of. Agents keep the memory, and know
// all of it.
func (t *told) findHeard(id string, place []string) (*item, error) {
	it, err := t.find(id, place)
	switch {
	case err != nil:
		return nil, err
	case t.w.agents[t.Who]:
		return it, nil
	case !t.w.heard(t.Who, it):
		return nil, impossible(place, "%s did not hear %s; let an agent do this, or somebody who was there", t.Who, id)
	case t.w.withdrawn[t.Who] && !t.w.public(it):
		return nil, impossible(place, "the access of %s was withdrawn, and with it %s; let an agent do this, or somebody who was there", t.Who, id)
	}
	return it, nil
}
