package policy

import (
	"slices"
	"time"
)

// Admitted is the proof that one item may enter one context: it was decided, allowed and recorded
// for exactly the viewers of one decision. Only Point.Decide makes one, and only after the Recorder
// confirmed the entry. It holds its own copy of what it says, so that nothing done to the decision
// afterwards changes it. The zero value admits nothing.
type Admitted struct {
	point         *Point
	decisionID    string
	decidedAt     time.Time
	viewersDigest string
	itemID        string
	contentDigest string
	obligations   []string
}

// admissions returns one admission for each admitted result, in order. They are worth nothing
// before the entry is recorded.
func (p *Point) admissions(e *Entry) []Admitted {
	var all []Admitted
	for i := range e.Results {
		if !e.Results[i].Admit {
			continue
		}
		all = append(all, Admitted{
			point:         p,
			decisionID:    e.ID,
			decidedAt:     e.At,
			viewersDigest: e.Viewers.Digest,
			itemID:        e.Request.Candidates[i].ID,
			contentDigest: e.Request.Candidates[i].Digest,
			obligations:   slices.Clone(e.Results[i].Obligations),
		})
	}
	return all
}

// Valid reports whether a decision of p made this admission. It is false for the zero value and
// for an admission of another Point.
func (a Admitted) Valid(p *Point) bool { return a.point != nil && a.point == p }

// DecisionID returns the id of the decision that admitted the item; empty for the zero value.
func (a Admitted) DecisionID() string { return a.decisionID }

// DecidedAt returns when the item was admitted, in UTC; the zero time for the zero value.
func (a Admitted) DecidedAt() time.Time { return a.decidedAt }

// ViewersDigest returns the digest of the viewer set the item was admitted for, in the form of
// ViewersDigest; empty for the zero value.
func (a Admitted) ViewersDigest() string { return a.viewersDigest }

// ItemID returns the id of the admitted item; empty for the zero value.
func (a Admitted) ItemID() string { return a.itemID }

// ContentDigest returns the digest of the content the admission is bound to; empty where the
// candidate named none.
func (a Admitted) ContentDigest() string { return a.contentDigest }

// Obligations returns what the caller must do with the item, sorted; nil for the zero value.
func (a Admitted) Obligations() []string { return slices.Clone(a.obligations) }
