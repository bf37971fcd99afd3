package policy

import "time"

// Admitted is the proof that one item may enter one context: it was decided, allowed and recorded
// for exactly the viewers of one decision. Only Point.Decide makes one, and only after the Recorder
// confirmed the entry. The zero value admits nothing.
type Admitted struct {
	point    *Point
	decision *Decision
	position int
}

// Valid reports whether a decision of p made this admission. It is false for the zero value and
// for an admission of another Point.
func (a Admitted) Valid(p *Point) bool { return a.point != nil && a.point == p }

// DecisionID returns the id of the decision that admitted the item; empty for the zero value.
func (a Admitted) DecisionID() string {
	if a.decision == nil {
		return ""
	}
	return a.decision.ID
}

// DecidedAt returns when the item was admitted, in UTC; the zero time for the zero value.
func (a Admitted) DecidedAt() time.Time {
	if a.decision == nil {
		return time.Time{}
	}
	return a.decision.At
}

// ViewersDigest returns the digest of the viewer set the item was admitted for, in the form of
// ViewersDigest; empty for the zero value.
func (a Admitted) ViewersDigest() string {
	if a.decision == nil {
		return ""
	}
	return a.decision.Viewers.Digest
}

// ItemID returns the id of the admitted item; empty for the zero value.
func (a Admitted) ItemID() string {
	if a.decision == nil {
		return ""
	}
	return a.decision.Request.Candidates[a.position].ID
}

// ContentDigest returns the digest of the content the admission is bound to; empty where the
// candidate named none.
func (a Admitted) ContentDigest() string {
	if a.decision == nil {
		return ""
	}
	return a.decision.Request.Candidates[a.position].Digest
}

// Obligations returns what the caller must do with the item, sorted; nil for the zero value.
func (a Admitted) Obligations() []string {
	if a.decision == nil {
		return nil
	}
	return append([]string(nil), a.decision.Results[a.position].Obligations...)
}
