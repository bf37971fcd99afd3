package seal

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/policy"
)

// Request asks for seals of items.
type Request struct {
	// Tenant is that of all items; empty in a single-tenant installation.
	Tenant string

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string

	// PolicyRevision is the digest of the bundle in force; the log keeps it with the items.
	PolicyRevision string

	// Items are the labels to seal, at least one, each in the form that policy.Sealable asks for.
	Items []policy.Candidate
}

// Answer is what was sealed.
type Answer struct {
	SealingID string

	// SealedAt is in UTC, in whole microseconds. The seals say it in whole seconds.
	SealedAt time.Time

	// Seals has one element for each item, in order.
	Seals []Issued

	// Log is where the log has the labels.
	Log policy.Position
}

// Issued is the seal of one item, with what of it a caller may want to see.
type Issued struct {
	ItemID         string
	Seal           string
	Digest         string
	AudienceDigest string

	// ExpiresAt is zero where the item does not expire.
	ExpiresAt time.Time
}

// Issue records the labels of all items and then signs a seal of each. One item that cannot be sealed
// refuses them all.
//
// Errors: an *policy.InvalidError with a pointer such as /items/0/agent (nothing was recorded),
// policy.ErrNotRecorded with the error of the Ledger, or one about the key; with one of the signer the
// labels are in the log and nobody has a seal of them.
func (s *Service) Issue(ctx context.Context, r Request) (Answer, error) {
	if len(r.Items) == 0 {
		return Answer{}, &policy.InvalidError{Pointer: "/items", Problem: "must not be empty: name the items to seal"}
	}
	id, err := s.config.NewID()
	if err != nil {
		return Answer{}, fmt.Errorf("make a sealing id: %w", err)
	}
	sealing := &decisionlog.Sealing{
		ID:             id,
		At:             s.config.Clock().UTC().Truncate(time.Microsecond),
		PolicyRevision: r.PolicyRevision,
		RequestedBy:    r.RequestedBy,
		Tenant:         r.Tenant,
		Items:          make([]policy.Candidate, len(r.Items)),
	}
	for i := range r.Items {
		pointer := "/items/" + strconv.Itoa(i)
		if sealing.Items[i], err = policy.Sealable(pointer, r.Tenant, r.Items[i], sealing.At); err != nil {
			return Answer{}, err
		}
	}
	// Nobody could verify what a key signs that is not in force, as where the clock was set back.
	if key, ok := s.config.Keys.Find(keyring.PurposeReceipt, s.config.Signer.KeyID()); !ok || !key.SignedAt(sealing.At) {
		return Answer{}, fmt.Errorf("the key that signs seals is not in force at %s: check the clock of this machine",
			sealing.At.Format(time.RFC3339))
	}
	payloads := make([][]byte, len(sealing.Items))
	answer := Answer{SealingID: id, SealedAt: sealing.At, Seals: make([]Issued, len(sealing.Items))}
	for i := range sealing.Items {
		sealed := policy.NewSealed(id+"/"+strconv.Itoa(i), sealing.At, &sealing.Items[i])
		if payloads[i], err = encodeClaims(&sealed); err != nil {
			return Answer{}, fmt.Errorf("encode the claims of item %d: %w", i, err)
		}
		answer.Seals[i] = Issued{
			ItemID:         sealed.ItemID,
			Digest:         sealed.Digest,
			AudienceDigest: sealed.AudienceDigest,
			ExpiresAt:      sealed.ExpiresAt,
		}
	}
	if answer.Log, err = s.config.Ledger.RecordSealing(ctx, sealing); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", policy.ErrNotRecorded, err)
	}
	for i, payload := range payloads {
		if answer.Seals[i].Seal, err = s.sign(payload); err != nil {
			return Answer{}, fmt.Errorf("sign item %d: %w", i, err)
		}
	}
	return answer, nil
}

// sign returns the seal with this payload.
func (s *Service) sign(payload []byte) (string, error) {
	input := signingInput(s.config.Signer.KeyID(), payload)
	signature, err := s.config.Signer.Sign([]byte(input))
	if err != nil {
		return "", err
	}
	return input + "." + encode(signature), nil
}
