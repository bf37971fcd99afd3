package wire

import "earshot/decisionlog"

// Erasures is a part of the register of erasures, newest first. It names nobody.
type Erasures struct {
	Erasures []ErasureLine `json:"erasures"`

	// NextCursor asks for the next page; null on the last one.
	NextCursor *string `json:"next_cursor"`
}

// ErasureLine is a LoggedErasure or an Unread.
type ErasureLine interface{ erasure() }

// LoggedErasure is one erasure.
type LoggedErasure struct {
	ErasureID      string `json:"erasure_id"`
	ErasedAt       string `json:"erased_at"`
	PolicyRevision string `json:"policy_revision,omitzero"`
	RequestedBy    string `json:"requested_by,omitzero"`
	Reason         string `json:"reason"`

	// Pseudonym is what stands for the name now; empty where only texts that contain it were there.
	Pseudonym string `json:"pseudonym,omitzero"`

	Names        int    `json:"names"` // that are gone, the one that was asked for among them
	Fingerprints uint64 `json:"fingerprints"`
	Receipts     uint64 `json:"receipts"`
	Log          *Log   `json:"log"`
}

func (LoggedErasure) erasure() {}

func (Unread) erasure() {}

// EncodeErasures returns the answer for a page.
func EncodeErasures(page *decisionlog.ErasurePage) Erasures {
	out := Erasures{Erasures: make([]ErasureLine, len(page.Erasures)), NextCursor: cursor(page.Next)}
	for i := range page.Erasures {
		e := &page.Erasures[i]
		if e.Damage != nil {
			out.Erasures[i] = encodeUnread(&decisionlog.Registered{Log: e.Log, Damage: e.Damage})
			continue
		}
		line := LoggedErasure{
			ErasureID: e.ID, ErasedAt: stamp(e.At), PolicyRevision: e.PolicyRevision, RequestedBy: e.RequestedBy, Reason: e.Reason,
			Names: len(e.Handles), Fingerprints: e.Fingerprints, Receipts: e.Receipts, Log: position(e.Log),
		}
		if e.Asked >= 0 {
			line.Pseudonym = decisionlog.Pseudonym(e.Handles[e.Asked])
		}
		out.Erasures[i] = line
	}
	return out
}
