package policy

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SealStatus is what came of verifying a seal. The zero value is invalid.
type SealStatus uint8

// The values of SealStatus.
const (
	// SealInvalid: it does not verify, is out of its time, or speaks of other labels.
	SealInvalid SealStatus = iota

	// SealValid: the labels of the candidate are the sealed ones.
	SealValid

	// SealOtherContent: it is good, and the candidate names another digest than the sealed one.
	SealOtherContent
)

// sealAbsent is the word of the policy for a candidate without a seal.
const sealAbsent = "absent"

// String returns the word of the policy for the status.
func (s SealStatus) String() string {
	switch s {
	case SealValid:
		return "valid"
	case SealOtherContent:
		return "other_content"
	default:
		return "invalid"
	}
}

// SealCheck is what came of verifying the seal of one candidate. The zero value is invalid.
type SealCheck struct {
	Status SealStatus

	// Differs names what made the seal invalid: a label, such as audience; issued_at or expires_at;
	// "signature" where no key of this service made it; "labels" where those that were sealed are not
	// kept any more. It is empty for another status.
	Differs string
}

// Values of Differs that are no label.
const (
	differsSignature = "signature"
	differsLabels    = "labels"
)

// sealDigest returns what an entry has of a seal; empty for none. A digest, which is no seal, stays as
// it is, so that an entry that is asked again is the same.
func sealDigest(seal string) string {
	if seal == "" || checkDigest(seal) == nil {
		return seal
	}
	return hexDigest([]byte(seal))
}

// sealStatus returns the word of the policy for the seal of the candidate at position. A seal of which
// nothing is known is invalid.
func (e *Entry) sealStatus(position int) string {
	if e.Request.Candidates[position].Seal == "" {
		return sealAbsent
	}
	return e.Facts.Seals[position].Status.String()
}

// checkSeals verifies the seal of every candidate that has one and puts the sealed labels in the place
// of those that the candidate leaves out. It returns the findings by position, nil where there is no
// seal. Its errors match ErrPolicyUnavailable: nothing is guessed about a seal that could not be
// looked up.
func (p *Point) checkSeals(ctx context.Context, req *Request, now time.Time) (map[int]SealCheck, error) {
	var checks map[int]SealCheck
	for i := range req.Candidates {
		c := &req.Candidates[i]
		if c.Seal == "" {
			continue
		}
		if checks == nil {
			checks = make(map[int]SealCheck)
		}
		if p.config.Seals == nil {
			checks[i] = SealCheck{Differs: differsSignature}
			continue
		}
		check, err := p.checkSeal(ctx, c, &req.Turn, now)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, unavailable(ctx, fmt.Errorf("verify the seal of candidate %d: %w", i, err))
		}
		checks[i] = check
	}
	return checks, nil
}

// checkSeal does for one candidate what checkSeals does for all. A seal that does not stand fills
// nothing in.
func (p *Point) checkSeal(ctx context.Context, c *Candidate, turn *Turn, now time.Time) (SealCheck, error) {
	sealed, err := p.config.Seals.Verify(ctx, c.Seal)
	if errors.Is(err, ErrSeal) {
		return SealCheck{Differs: differsSignature}, nil
	}
	if err != nil {
		return SealCheck{}, err
	}
	if label := sealed.differs(c, turn, now); label != "" {
		return SealCheck{Differs: label}, nil
	}
	audience, sources, err := p.sealedLabels(ctx, c, &sealed)
	if errors.Is(err, ErrSeal) {
		return SealCheck{Differs: differsLabels}, nil
	}
	if err != nil {
		return SealCheck{}, err
	}
	check := SealCheck{Status: SealValid}
	if c.Digest != "" && c.Digest != sealed.Digest {
		check.Status = SealOtherContent
	}
	sealed.fill(c, audience, sources)
	if sealed.memory != nil {
		c.Seal = sealed.memory.digest
	}
	return check, nil
}

// sealedLabels returns audience and sources as sealed: those of the candidate where it states them,
// for they were found to be the sealed ones, and those of the log where it does not.
func (p *Point) sealedLabels(ctx context.Context, c *Candidate, s *Sealed) (Audience, []Source, error) {
	audience, sources := c.Audience, c.Sources
	lacksAudience, lacksSources := false, false
	if c.Unstated&LabelAudience != 0 {
		audience = Audience{Kind: s.AudienceKind}
		lacksAudience = !s.hasAudience(audience)
	}
	if c.Unstated&LabelSources != 0 {
		sources = nil
		lacksSources = !s.memory.sourcesAre(nil, s.SourcesDigest)
	}
	if !lacksAudience && !lacksSources {
		return audience, sources, nil
	}
	keptAudience, keptSources, err := p.config.Seals.Labels(ctx, s.ID)
	if err != nil {
		return Audience{}, nil, err
	}
	if lacksAudience {
		audience = keptAudience
	}
	if lacksSources {
		sources = keptSources
	}
	// A name that was erased since reads as another one, and so does a log that was tampered with.
	if !s.hasAudience(audience) || !s.memory.sourcesAre(sources, s.SourcesDigest) {
		return Audience{}, nil, fmt.Errorf("%w: the labels that are kept are not the sealed ones", ErrSeal)
	}
	return audience, sources, nil
}
