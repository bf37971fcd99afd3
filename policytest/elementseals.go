package policytest

import (
	"context"
	"fmt"

	"earshot/policy"
	"earshot/server/wire"
)

// elementSeals says of the seals of a hand-off what the facts of its case say: it is a policy.Seals.
type elementSeals struct {
	of   *Case
	body []byte
}

// Verify returns labels that the element with the seal has, or that differ from it in the content alone.
func (s elementSeals) Verify(_ context.Context, seal string) (policy.Sealed, error) {
	request, err := wire.DecodeHandoff(s.body, wire.DefaultLimits())
	if err != nil {
		return policy.Sealed{}, err
	}
	for i := range request.Elements {
		el := &request.Elements[i]
		if el.Seal != seal {
			continue
		}
		labels := policy.Candidate{
			ID: el.ID, Agent: el.Source, Shared: el.Shared, Confidential: el.Confidential, Kind: el.Kind, Digest: el.Digest,
		}
		switch status := s.of.Facts.Seals[el.ID]; status {
		case policy.SealValid.String():
		case policy.SealOtherContent.String():
			labels.Digest = ""
		default:
			return policy.Sealed{}, fmt.Errorf("%w: so the case says", policy.ErrSeal)
		}
		return policy.NewSealed(el.ID, s.of.Now, &labels), nil
	}
	return policy.Sealed{}, policy.ErrSeal
}

// Labels has none: an element of a case states its own.
func (s elementSeals) Labels(context.Context, string) (policy.Audience, []policy.Source, error) {
	return policy.Audience{}, nil, policy.ErrSeal
}
