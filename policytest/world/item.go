package world

import "time"

// scope is for whom an item is.
type scope int

const (
	forNobody    scope = iota // it is not known any more who heard it
	forMembers                // those who were in the channel
	forTenant                 // everybody at home in the channel's tenant
	forEverybody              // everybody
	forHearers                // those who heard every source
)

// The states of an item.
const (
	live       = "live"
	erased     = "erased"
	superseded = "superseded"
	imported   = "imported"
)

// item is one thing that somebody said, derived or imported.
type item struct {
	id    string
	event int // its position among the events
	at    time.Time
	scope scope
	state string
	from  []*item
	below int // how many sources it has, those of its sources included

	channel string
	tenant  string
	Labels

	// heardBy was written down when it was said, as a memory system does. Expect does not read it.
	heardBy []string
}

// expired reports whether the item is too old to be told.
func (it *item) expired(now time.Time) bool { return !it.Until.IsZero() && !now.Before(it.Until) }

// sources yields everything it was made from, at every level.
func (it *item) sources(yield func(*item) bool) {
	var walk func(*item) bool
	walk = func(it *item) bool {
		for _, s := range it.from {
			if !yield(s) || !walk(s) {
				return false
			}
		}
		return true
	}
	walk(it)
}

// said yields what it comes down to: itself, or the said and imported items among its sources.
func (it *item) said(yield func(*item) bool) {
	if it.scope != forHearers {
		yield(it)
		return
	}
	for s := range it.sources {
		if s.scope != forHearers && !yield(s) {
			return
		}
	}
}
