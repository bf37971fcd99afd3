package world

import (
	"slices"
	"strconv"
)

// maxSources is how many sources an item may have, those of its sources included. A body writes each
// out, so that doubling them would fill the memory.
const maxSources = 1000

func (t *told) say() error {
	c, ok := t.w.channels[t.In]
	switch {
	case !ok:
		return impossible(t.of("in"), "there is no channel %q", t.In)
	case !t.w.agents[t.Who] && !t.mayspeak(c):
		return impossible(t.of("in"), "%s speaks in %s without being in it", t.Who, t.In)
	}
	return t.recordHeard(t.Says, t.In, "says")
}

// mayspeak reports whether a person can be heard in a channel.
func (t *told) mayspeak(c *channel) bool {
	switch c.Kind {
	case Public:
		return true
	case WholeTenant:
		return t.w.atHome(t.Who, c.Tenant)
	default:
		return c.inside(t.Who, t.index)
	}
}

// recordHeard takes in an item that is said in a channel now. The key leads to its id in the event.
func (t *told) recordHeard(id, in, key string) error {
	c := t.w.channels[in]
	it := &item{id: id, channel: in, tenant: c.Tenant, state: live, Labels: t.labels("message")}
	switch c.Kind {
	case WholeTenant:
		it.scope = forTenant
	case Public:
		it.scope = forEverybody
	default:
		it.scope, it.heardBy = forMembers, c.roster(t.index)
		if len(it.heardBy) == 0 {
			return impossible(t.of(key), "nobody is in %s, so nobody hears it", in)
		}
	}
	return t.record(it, key)
}

func (t *told) derive() error {
	it := &item{id: t.Derives, tenant: t.w.story.Tenant, scope: forHearers, state: live, Labels: t.labels("summary")}
	if len(t.From) == 0 {
		return impossible(t.of("derives"), "%s is derived from nothing; name its sources with from", t.Derives)
	}
	for i, id := range t.From {
		source, err := t.findHeard(id, append(t.of("from"), strconv.Itoa(i)))
		if err != nil {
			return err
		}
		if slices.Contains(it.from, source) {
			return impossible(append(t.of("from"), strconv.Itoa(i)), "%s is named twice", id)
		}
		it.from = append(it.from, source)
		it.below += 1 + source.below
		if it.below > maxSources {
			return impossible(t.of("from"), "%s has more than %d sources, those of its sources included", t.Derives, maxSources)
		}
	}
	return t.record(it, "derives")
}

func (t *told) edit() error {
	old, err := t.findHeard(t.Edits, t.of("edits"))
	switch {
	case err != nil:
		return err
	case old.channel == "":
		return impossible(t.of("edits"), "%s was not said, so nobody edits it", t.Edits)
	case t.Into == "":
		return impossible(t.of("edits"), "name the new text with into")
	case !t.w.agents[t.Who] && !t.mayspeak(t.w.channels[old.channel]):
		return impossible(t.of("who"), "%s edits in %s without being in it", t.Who, old.channel)
	}
	old.state = superseded
	return t.recordHeard(t.Into, old.channel, "into")
}

func (t *told) erase() error {
	it, err := t.findHeard(t.Erases, t.of("erases"))
	if err != nil {
		return err
	}
	it.state = erased
	return nil
}

// importItem takes in an item of which it is not known any more who heard it. So no person can be known
// to have heard it, and only an agent can bring it along.
func (t *told) importItem() error {
	if !t.w.agents[t.Who] {
		return impossible(t.of("who"), "%s cannot have heard %s, since nobody knows any more who did; let an agent import it", t.Who, t.Imports)
	}
	return t.record(&item{id: t.Imports, tenant: t.w.story.Tenant, state: imported, Labels: t.labels("document")}, "imports")
}
