package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"earshot/decisionlog/seal"
	"earshot/policy"
)

// SealRequest asks for seals of items.
type SealRequest struct {
	// Tenant is empty where the request names none.
	Tenant string

	// Items is never nil.
	Items []SealItem
}

// SealItem is one item to seal.
type SealItem struct {
	// Labels has the digest of Content where there is one, and in Unstated what was left out.
	Labels policy.Candidate

	// Content is the text of the item; empty where the request has none. It is for fingerprints and
	// goes no further.
	Content string
}

// Labels returns the labels of the items, in order.
func (r *SealRequest) Labels() []policy.Candidate {
	list := make([]policy.Candidate, len(r.Items))
	for i := range r.Items {
		list[i] = r.Items[i].Labels
	}
	return list
}

// DecodeSealing reads the body of a request for seals. One item that does not fit the contract refuses
// them all. The error is an *Error; nothing of the request is then to be used.
//
// The labels still need the checks of policy.Sealable.
func DecodeSealing(body []byte, limits Limits) (SealRequest, error) {
	return decode(body, limits, (*reader).sealing)
}

func (r *reader) sealing() SealRequest {
	r.items = "/items"
	req := SealRequest{Items: []SealItem{}}
	items := false
	r.object(func(name string) {
		switch name {
		case "tenant":
			req.Tenant = r.label()
		case "items":
			items = true
			r.must()
			r.list(func(i int) {
				if i == r.limits.Candidates {
					r.fail(&Error{
						Code:    CodeTooLarge,
						Pointer: r.items,
						Detail:  fmt.Sprintf("are more than %d; split them over several requests", i),
					})
					return
				}
				req.Items = append(req.Items, r.sealItem(i))
			})
		default:
			r.unknown()
		}
	})
	if !items {
		r.missing("items", "name the items to seal")
	}
	return req
}

func (r *reader) sealItem(i int) SealItem {
	var item SealItem
	item.Labels = r.labels(func(name string) bool {
		if name != "content" {
			return false
		}
		item.Content = r.label()
		return true
	})
	if item.Content == "" {
		return item
	}
	sum := sha256.Sum256([]byte(item.Content))
	digest := "sha256:" + hex.EncodeToString(sum[:])
	if item.Labels.Digest != "" && item.Labels.Digest != digest {
		r.note(policy.CodeMalformed, fmt.Sprintf("%s/%d/digest", r.items, i), "is not that of the content; leave it out")
	}
	item.Labels.Digest = digest
	return item
}

// SealAnswer is what was sealed.
type SealAnswer struct {
	SealingID string `json:"sealing_id"`
	SealedAt  string `json:"sealed_at"` // RFC 3339 in UTC, in microseconds
	Seals     []Seal `json:"seals"`     // one an item, in order
	Log       *Log   `json:"log"`
}

// Seal is the seal of the item at a position.
type Seal struct {
	Position       int    `json:"position"`
	ID             string `json:"id"`
	Seal           string `json:"seal"`
	Digest         string `json:"digest"`
	AudienceDigest string `json:"audience_digest"`
	ExpiresAt      string `json:"expires_at,omitzero"`
}

// EncodeSealing returns the answer for a.
func EncodeSealing(a *seal.Answer) SealAnswer {
	out := SealAnswer{
		SealingID: a.SealingID,
		SealedAt:  stamp(a.SealedAt),
		Seals:     make([]Seal, len(a.Seals)),
		Log:       position(a.Log),
	}
	for i := range a.Seals {
		s := &a.Seals[i]
		out.Seals[i] = Seal{
			Position:       i,
			ID:             s.ItemID,
			Seal:           s.Seal,
			Digest:         s.Digest,
			AudienceDigest: s.AudienceDigest,
			ExpiresAt:      instantText(s.ExpiresAt),
		}
	}
	return out
}
