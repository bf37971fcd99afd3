package wire

import (
	"fmt"
	"slices"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
)

// ErasureRequest asks to forget a person, an agent or an item.
type ErasureRequest struct {
	// Name is the principal or the id of the item.
	Name string

	// Reason is one of decisionlog.ErasureReasons.
	Reason string
}

// DecodeErasure reads the body of a request to erase. The error is an *Error; nothing of the request is
// then to be used.
func DecodeErasure(body []byte, limits Limits) (ErasureRequest, error) {
	return decode(body, limits, (*reader).erasure)
}

func (r *reader) erasure() ErasureRequest {
	reasons := decisionlog.ErasureReasons()
	req := ErasureRequest{Reason: reasons[0]}
	names := 0
	isObject := r.object(func(name string) {
		switch name {
		case "principal", "item":
			names++
			r.must()
			req.Name = r.label()
			if req.Name == "" {
				r.wrong("must not be empty")
			}
		case "reason":
			if req.Reason = r.label(); !slices.Contains(reasons, req.Reason) {
				r.wrong("must be one of %s", strings.Join(reasons, ", "))
			}
		default:
			r.unknown()
		}
	})
	switch {
	case !isObject:
	case names == 0:
		r.missing("principal", "name whom to forget, or an item")
	case names > 1:
		r.note(policy.CodeMalformed, "/item", "stands beside principal; erase one after the other")
	}
	return req
}

// ErasureAnswer is what was erased. It names nobody.
type ErasureAnswer struct {
	ErasureID string `json:"erasure_id"`
	ErasedAt  string `json:"erased_at"` // RFC 3339 in UTC, in microseconds

	// RequestedBy is the credential that asked.
	RequestedBy string `json:"requested_by,omitzero"`
	Reason      string `json:"reason"`

	// Pseudonym is what the name reads as from now on; absent where only texts with it were recorded.
	Pseudonym string `json:"pseudonym,omitzero"`

	// Names counts the texts that are gone, the name among them.
	Names        int    `json:"names"`
	Fingerprints uint64 `json:"fingerprints"`
	Receipts     uint64 `json:"receipts"`

	// Lingering is true where old frames of the write-ahead log go later, since a reader needs them.
	Lingering bool `json:"lingering"`

	Log *Log `json:"log"`
}

// EncodeErasure returns the answer for e.
func EncodeErasure(e *decisionlog.StoredErasure, lingering bool) ErasureAnswer {
	out := ErasureAnswer{
		ErasureID: e.ID, ErasedAt: stamp(e.At), RequestedBy: e.RequestedBy, Reason: e.Reason,
		Names: len(e.Handles), Fingerprints: e.Fingerprints, Receipts: e.Receipts, Lingering: lingering,
		Log: position(e.Log),
	}
	if e.Asked >= 0 {
		out.Pseudonym = fmt.Sprintf("erased-%d", e.Handles[e.Asked])
	}
	return out
}
