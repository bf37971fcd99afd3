package world

import (
	"maps"
	"slices"
)

// Heard reports whether somebody was there when an item was said, or belongs to those whom it was
// for. It follows the joins and leaves of the channel, and reads no label. It is false for an item
// that this world does not have.
func (w *World) Heard(who, id string) bool {
	it := w.byID[id]
	return it != nil && w.heard(who, it)
}

func (w *World) heard(who string, it *item) bool {
	switch it.scope {
	case forMembers:
		return w.channels[it.channel].inside(who, it.event)
	case forTenant:
		return w.atHome(who, it.tenant)
	case forEverybody:
		return true
	case forHearers:
		for _, s := range it.from {
			if !w.heard(who, s) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// Hearers are the people of this world who heard an item, sorted. What is public was heard by all.
func (w *World) Hearers(id string) []string {
	var out []string
	for _, who := range slices.Sorted(maps.Keys(w.people)) {
		if w.Heard(who, id) {
			out = append(out, who)
		}
	}
	return out
}

// Public reports whether an item is for everybody, with all that it was made from.
func (w *World) Public(id string) bool {
	it := w.byID[id]
	return it != nil && w.public(it)
}

func (w *World) public(it *item) bool {
	for s := range it.said {
		if s.scope != forEverybody {
			return false
		}
	}
	return true
}
