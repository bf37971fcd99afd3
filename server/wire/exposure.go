package wire

import (
	"earshot/decisionlog"
	"earshot/policy"
)

// Exposures is a part of what a person's turns were shown, or of whom an item reached, newest first.
type Exposures struct {
	Exposures []ExposureLine `json:"exposures"`

	// NextCursor asks for the next page; null on the last one.
	NextCursor *string `json:"next_cursor"`
}

// ExposureLine is an Exposure, a PrunedExposure or a Damaged.
type ExposureLine interface{ exposure() }

// Exposure is one item that one turn was shown, or that a hand-off let over.
type Exposure struct {
	Type           string         `json:"type,omitzero"` // handoff, or absent
	DecisionID     string         `json:"decision_id"`
	DecidedAt      string         `json:"decided_at"`
	PolicyRevision string         `json:"policy_revision"`
	Tenant         string         `json:"tenant"`
	Channel        string         `json:"channel"`
	Agent          string         `json:"agent"`
	TurnID         string         `json:"turn_id"`
	Viewers        *Viewers       `json:"viewers,omitzero"` // without names where a person is asked about; nil for a hand-off
	Verdict        policy.Verdict `json:"verdict"`
	Position       int            `json:"position"`
	ItemID         string         `json:"item_id"`
	Reasons        []string       `json:"reasons"`
	Obligations    []string       `json:"obligations"`
	Log            *Log           `json:"log"`
}

func (Exposure) exposure() {}

// PrunedExposure is a decision that matched before retention emptied it: what it admitted is not known
// any more.
type PrunedExposure struct {
	Pruned         bool   `json:"pruned"` // always true
	DecisionID     string `json:"decision_id"`
	DecidedAt      string `json:"decided_at"`
	PolicyRevision string `json:"policy_revision"`
	Log            *Log   `json:"log"`
}

func (PrunedExposure) exposure() {}

func (Damaged) exposure() {}

// EncodeExposures returns the answer for a page.
func EncodeExposures(page *decisionlog.ExposurePage) Exposures {
	out := Exposures{Exposures: make([]ExposureLine, len(page.Exposures)), NextCursor: cursor(page.Next)}
	for i := range page.Exposures {
		out.Exposures[i] = encodeExposure(&page.Exposures[i])
	}
	return out
}

func encodeExposure(e *decisionlog.Exposure) ExposureLine {
	switch {
	case e.Damage != nil:
		return encodeDamaged(&e.Summary)
	case e.Pruned:
		return PrunedExposure{
			Pruned: true, DecisionID: e.ID, DecidedAt: stamp(e.At), PolicyRevision: e.PolicyRevision, Log: position(e.Log),
		}
	}
	out := Exposure{
		DecisionID: e.ID, DecidedAt: stamp(e.At), PolicyRevision: e.PolicyRevision,
		Tenant: e.Tenant, Channel: e.Channel, Agent: e.Agent, TurnID: e.TurnID, Verdict: e.Verdict,
		Position: e.Position, ItemID: e.ItemID, Reasons: full(e.Reasons), Obligations: full(e.Obligations), Log: position(e.Log),
	}
	if e.Handoff {
		out.Type = typeHandoff
		return out
	}
	out.Viewers = &Viewers{Status: e.Viewers.Status(), Reasons: full(e.Viewers.Reasons), Present: e.Viewers.Present}
	return out
}

// cursor returns the cursor of a next page; nil where there is none.
func cursor(next string) *string {
	if next == "" {
		return nil
	}
	return &next
}
