package policy

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// sealStatus returns the word of the policy for the seal of the element at position. A seal of which
// nothing is known is invalid.
func (e *HandoffEntry) sealStatus(position int) string {
	if e.Request.Elements[position].Seal == "" {
		return sealAbsent
	}
	return e.Seals[position].Status.String()
}

// checkElementSeals does for the elements of a hand-off what checkSeals does for candidates.
func (p *Point) checkElementSeals(ctx context.Context, h *Handoff, now time.Time) (map[int]SealCheck, error) {
	var checks map[int]SealCheck
	for i := range h.Elements {
		if h.Elements[i].Seal == "" {
			continue
		}
		check := SealCheck{Differs: differsSignature}
		if p.config.Seals != nil {
			var err error
			if check, err = p.checkElementSeal(ctx, &h.Elements[i], h.Tenant, now); err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, unavailable(ctx, fmt.Errorf("verify the seal of element %d: %w", i, err))
			}
		}
		if checks == nil {
			checks = make(map[int]SealCheck)
		}
		checks[i] = check
	}
	return checks, nil
}

// checkElementSeal verifies one seal and puts the sealed labels in the place of those that the element
// leaves out. A seal that does not stand fills nothing in. The hands are not sealed: they come later.
func (p *Point) checkElementSeal(ctx context.Context, el *Element, tenant string, now time.Time) (SealCheck, error) {
	sealed, err := p.config.Seals.Verify(ctx, el.Seal)
	if errors.Is(err, ErrSeal) {
		return SealCheck{Differs: differsSignature}, nil
	}
	if err != nil {
		return SealCheck{}, err
	}
	labels := Candidate{
		ID: el.ID, Agent: el.Source, Shared: el.Shared, Confidential: el.Confidential, Kind: el.Kind,
		Unstated: el.Unstated | LabelAudience | LabelAudienceBasis | LabelSources,
	}
	if label := sealed.differs(&labels, &Turn{Tenant: tenant}, now); label != "" {
		return SealCheck{Differs: label}, nil
	}
	sources, err := p.sealedSources(ctx, &sealed)
	if errors.Is(err, ErrSeal) {
		return SealCheck{Differs: differsLabels}, nil
	}
	if err != nil {
		return SealCheck{}, err
	}
	if el.Unstated&LabelSources != 0 {
		el.Sources = sources
	} else if !sameSources(el.Sources, sources) {
		return SealCheck{Differs: "sources"}, nil
	}
	check := SealCheck{Status: SealValid}
	if el.Digest != "" && el.Digest != sealed.Digest {
		check.Status = SealOtherContent
	}
	el.Source, el.Shared, el.Confidential, el.Kind = sealed.Agent, sealed.Shared, sealed.Confidential, sealed.Kind
	for i := range sources {
		el.Sources[i].Confidential = sources[i].Confidential
	}
	if el.Digest == "" {
		el.Digest = sealed.Digest
	}
	return check, nil
}

// sealedSources returns the sources as sealed. A seal says nothing of whether a source was shared or
// of which kind it is, so one that the caller does not label counts as not shared.
func (p *Point) sealedSources(ctx context.Context, s *Sealed) ([]ElementSource, error) {
	if s.SourcesDigest == SourcesDigest(nil) {
		return nil, nil
	}
	_, sources, err := p.config.Seals.Labels(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	if SourcesDigest(sources) != s.SourcesDigest {
		return nil, fmt.Errorf("%w: the sources that are kept are not the sealed ones", ErrSeal)
	}
	out := make([]ElementSource, len(sources))
	for i := range sources {
		out[i] = ElementSource{ID: sources[i].ID, Source: sources[i].Agent, Confidential: sources[i].Confidential}
	}
	return out, nil
}

// sameSources reports whether flat sources are the sealed ones. A mark that is not stated fits.
func sameSources(stated, sealed []ElementSource) bool {
	if len(stated) != len(sealed) {
		return false
	}
	for i := range stated {
		a, b := &stated[i], &sealed[i]
		if a.ID != b.ID || a.Source != b.Source ||
			a.Confidential != ConfidentialityUnstated && a.Confidential != b.Confidential {
			return false
		}
	}
	return true
}
