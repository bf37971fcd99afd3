package decisionlog

import (
	"math"
	"slices"
)

// ExposureQuery asks what one person's turns were shown, or whom one item reached. Exactly one of
// Principal and Query.Item is set.
type ExposureQuery struct {
	// Principal is the person: a viewer, as stated, of the turns that are looked at.
	Principal string

	// Query narrows the answer. Its Item is the item that is asked about, its Reason one that the very
	// exposure has or the viewers of its turn; Admit must be nil, since an exposure is an admit.
	Query
}

// questionExposures keeps the cursors of this question apart from those of others.
const questionExposures = "exposures"

// check returns the size of the page and where it starts.
func (q *ExposureQuery) check(cursorKey []byte) (limit int, start place, err error) {
	switch {
	case q.Principal == "" && q.Item == "":
		return 0, place{}, &QueryError{"principal", "or item is required; give one of them"}
	case q.Principal != "" && q.Item != "":
		return 0, place{}, &QueryError{"item", "cannot stand beside principal; give one of them"}
	case q.Admit != nil:
		return 0, place{}, &QueryError{"admit", "has no sense here, since only what was admitted is listed; leave it out"}
	}
	if limit, err = q.limit(); err != nil {
		return 0, place{}, err
	}
	if err := q.checkRange(); err != nil {
		return 0, place{}, err
	}
	if q.Cursor == "" {
		return limit, place{seq: math.MaxInt64}, nil
	}
	start, err = readCursor(cursorKey, questionExposures, q.filters(), q.Cursor)
	return limit, start, err
}

func (q *ExposureQuery) filters() []string { return append(q.Query.filters(), q.Principal) }

// Exposure is one item that one turn was shown, or that a hand-off let over to another agent.
type Exposure struct {
	// Summary is of the decision. Where a person is asked about, its Viewers name nobody: the answer is
	// for that person, and who else was there is not theirs to know. Where it is Pruned or has a Damage,
	// what follows is empty, and the exposure stands for all that the decision may have admitted.
	Summary

	// Position is that of the candidate in its decision.
	Position int

	// ItemID is what the caller called the item.
	ItemID string

	// Reasons are the permits that admitted it, Obligations what it was admitted under.
	Reasons, Obligations []string
}

// ExposurePage is a part of the answer to an ExposureQuery.
type ExposurePage struct {
	// Exposures are in the order of the ledger, the newest decision first, and in a decision by position.
	Exposures []Exposure

	// Next is the cursor of the page that follows; empty on the last page. A page that has one may
	// have fewer exposures than asked for, or none.
	Next string
}

// shown tells whether an admitted result is what q asks for; viewers are those of its turn.
func (q *ExposureQuery) shown(e *Exposure, viewersReasons []string) bool {
	return (q.Item == "" || e.ItemID == q.Item) &&
		(q.Reason == "" || slices.Contains(e.Reasons, q.Reason) || slices.Contains(viewersReasons, q.Reason))
}
