package policy

import (
	"context"
	"time"
)

// Sealed is what a seal says of one item: its labels as they were when it was sealed. State, store
// and attributes of an item are not sealed, since they change or are the caller's own.
type Sealed struct {
	// ID is "<sealing id>/<position>": where the log has the labels whole.
	ID string

	ItemID, Tenant, Channel, Agent, Kind, Digest, AudienceBasis string

	// AudienceKind and AudienceDigest are the audience, the latter in the form of AudienceDigest.
	AudienceKind   AudienceKind
	AudienceDigest string

	Shared       bool
	Confidential Confidentiality

	// SourcesDigest is of the sources, in the form of SourcesDigest.
	SourcesDigest string

	// RecordedAt is zero when absent.
	RecordedAt time.Time

	// IssuedAt and ExpiresAt are in whole seconds. ExpiresAt is when the item expires, and the seal
	// with it: the second in which it does, and zero where it does not.
	IssuedAt, ExpiresAt time.Time

	// memory is shared by all copies of what one seal says; nil where nothing is remembered.
	memory *sealMemory
}

// Seals verifies the seals that candidates carry. Implementations are safe for concurrent use.
type Seals interface {
	// Verify returns what the seal says if a key of this service made it, and an error that matches
	// ErrSeal otherwise. It judges neither the labels nor the time. Any other error ends the request.
	Verify(ctx context.Context, seal string) (Sealed, error)

	// Labels returns audience and sources as they were sealed under an ID of Sealed, for a candidate
	// that leaves them out. The error matches ErrSeal where they are not kept, or not any more. Any
	// other error ends the request.
	Labels(ctx context.Context, id string) (Audience, []Source, error)
}

// NewSealed returns what a seal with this id, issued at this time, says of an item in the form that
// Sealable returns.
func NewSealed(id string, issuedAt time.Time, item *Candidate) Sealed {
	return Sealed{
		ID:             id,
		ItemID:         item.ID,
		Tenant:         item.Tenant,
		Channel:        item.Channel,
		Agent:          item.Agent,
		Kind:           item.Kind,
		Digest:         item.Digest,
		AudienceBasis:  item.AudienceBasis,
		AudienceKind:   item.Audience.Kind,
		AudienceDigest: AudienceDigest(item.Audience),
		Shared:         item.Shared,
		Confidential:   item.Confidential,
		SourcesDigest:  SourcesDigest(item.Sources),
		RecordedAt:     item.RecordedAt,
		IssuedAt:       issuedAt.UTC().Truncate(time.Second),
		ExpiresAt:      item.ExpiresAt.Truncate(time.Second),
	}
}

// sealSkew is how far in the future a seal may have been issued: the clocks of two machines differ.
const sealSkew = 30 * time.Second

// differs returns the first label of c that is not the sealed one, or the bound of time that now is
// outside of; empty where everything fits. A label that c leaves out fits. The digest of the content
// is left to the caller: it has an answer of its own.
func (s *Sealed) differs(c *Candidate, turn *Turn, now time.Time) string {
	stated := func(label Labels) bool { return c.Unstated&label == 0 }
	expiry := c.ExpiresAt.Truncate(time.Second)
	switch {
	case s.IssuedAt.After(now.Add(sealSkew)):
		return "issued_at"
	case !s.ExpiresAt.IsZero() && !s.ExpiresAt.After(now):
		return "expires_at"
	case !s.ExpiresAt.IsZero() && !c.ExpiresAt.IsZero() && !expiry.Equal(s.ExpiresAt):
		return "expires_at"
	case c.ID != s.ItemID:
		return "id"
	case c.Tenant != "" && c.Tenant != s.Tenant, s.Tenant != "" && s.Tenant != turn.Tenant:
		return "tenant"
	case c.Channel != "" && c.Channel != s.Channel:
		return "channel"
	case c.Agent != "" && c.Agent != s.Agent:
		return "agent"
	case stated(LabelKind) && c.Kind != s.Kind:
		return "kind"
	case stated(LabelShared) && c.Shared != s.Shared:
		return "shared"
	case c.Confidential != ConfidentialityUnstated && c.Confidential != s.Confidential:
		return "confidential"
	case stated(LabelAudienceBasis) && c.AudienceBasis != s.AudienceBasis:
		return "audience_basis"
	case !c.RecordedAt.IsZero() && !c.RecordedAt.Equal(s.RecordedAt):
		return "recorded_at"
	case stated(LabelAudience) && !s.hasAudience(c.Audience):
		return "audience"
	case stated(LabelSources) && !s.memory.sourcesAre(c.Sources, s.SourcesDigest):
		return "sources"
	}
	return ""
}

func (s *Sealed) hasAudience(a Audience) bool {
	return a.Kind == s.AudienceKind && s.memory.audienceIs(a, s.AudienceDigest)
}

// fill puts the sealed labels, which c does not contradict, in the place of those of c.
func (s *Sealed) fill(c *Candidate, a Audience, sources []Source) {
	c.Audience, c.Sources = a, sources
	c.AudienceBasis, c.Tenant, c.Channel, c.Agent = s.AudienceBasis, s.Tenant, s.Channel, s.Agent
	c.Shared, c.Confidential, c.Kind, c.RecordedAt = s.Shared, s.Confidential, s.Kind, s.RecordedAt
	if c.Digest == "" {
		c.Digest = s.Digest
	}
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = s.ExpiresAt
	}
}
