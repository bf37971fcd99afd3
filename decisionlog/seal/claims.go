package seal

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"earshot/policy"
)

// claimsVersion is the one version of claims there is.
const claimsVersion = 1

// claims are the payload of a seal, in the form that doc.go describes.
type claims struct {
	Version       int        `json:"v"`
	ID            string     `json:"jti"`
	IssuedAt      int64      `json:"iat"`
	ExpiresAt     int64      `json:"exp,omitzero"`
	Tenant        string     `json:"tenant,omitzero"`
	Item          string     `json:"item"`
	Digest        string     `json:"digest"`
	Audience      audience   `json:"audience"`
	AudienceBasis string     `json:"audience_basis"`
	Channel       string     `json:"channel,omitzero"`
	Agent         string     `json:"agent"`
	Kind          string     `json:"kind"`
	Confidential  *bool      `json:"confidential,omitzero"`
	Shared        bool       `json:"shared"`
	Sources       string     `json:"sources"`
	RecordedAt    *time.Time `json:"recorded_at,omitzero"`
}

type audience struct {
	Kind   string `json:"kind"`
	Digest string `json:"digest"`
}

// audienceKinds are the kinds that can be sealed. Nobody is none of them.
func audienceKinds() []policy.AudienceKind {
	return []policy.AudienceKind{policy.AudienceList, policy.AudienceTenant, policy.AudiencePublic, policy.AudienceInherited}
}

// encodeClaims returns the payload that says s.
func encodeClaims(s *policy.Sealed) ([]byte, error) {
	c := claims{
		Version:       claimsVersion,
		ID:            s.ID,
		IssuedAt:      s.IssuedAt.Unix(),
		Tenant:        s.Tenant,
		Item:          s.ItemID,
		Digest:        s.Digest,
		Audience:      audience{Kind: s.AudienceKind.String(), Digest: s.AudienceDigest},
		AudienceBasis: s.AudienceBasis,
		Channel:       s.Channel,
		Agent:         s.Agent,
		Kind:          s.Kind,
		Shared:        s.Shared,
		Sources:       s.SourcesDigest,
	}
	if !s.ExpiresAt.IsZero() {
		c.ExpiresAt = s.ExpiresAt.Unix()
	}
	if s.Confidential != policy.ConfidentialityUnstated {
		c.Confidential = new(s.Confidential == policy.Confidential)
	}
	if !s.RecordedAt.IsZero() {
		c.RecordedAt = new(s.RecordedAt.UTC())
	}
	return json.Marshal(c)
}

// decodeClaims reads a payload whose signature was verified. It is strict all the same: what a later
// version adds to the form must not be overlooked by this one.
func decodeClaims(payload []byte) (policy.Sealed, error) {
	var c claims
	if err := json.Unmarshal(payload, &c, json.RejectUnknownMembers(true)); err != nil {
		return policy.Sealed{}, fmt.Errorf("read the claims: %w", err)
	}
	s := policy.Sealed{
		ID:             c.ID,
		ItemID:         c.Item,
		Tenant:         c.Tenant,
		Channel:        c.Channel,
		Agent:          c.Agent,
		Kind:           c.Kind,
		Digest:         c.Digest,
		AudienceBasis:  c.AudienceBasis,
		AudienceDigest: c.Audience.Digest,
		Shared:         c.Shared,
		SourcesDigest:  c.Sources,
		IssuedAt:       time.Unix(c.IssuedAt, 0).UTC(),
	}
	for _, kind := range audienceKinds() {
		if c.Audience.Kind == kind.String() {
			s.AudienceKind = kind
		}
	}
	if c.ExpiresAt != 0 {
		s.ExpiresAt = time.Unix(c.ExpiresAt, 0).UTC()
	}
	if c.Confidential != nil {
		s.Confidential = policy.NotConfidential
		if *c.Confidential {
			s.Confidential = policy.Confidential
		}
	}
	if c.RecordedAt != nil {
		s.RecordedAt = c.RecordedAt.UTC()
	}
	switch {
	case c.Version != claimsVersion:
		return policy.Sealed{}, fmt.Errorf("the claims are of version %d", c.Version)
	case s.AudienceKind == policy.AudienceNone:
		return policy.Sealed{}, errors.New("the claims have no audience")
	case s.ID == "" || s.ItemID == "" || s.Digest == "" || s.Agent == "" || s.IssuedAt.Unix() <= 0:
		return policy.Sealed{}, errors.New("the claims are not whole")
	}
	return s, nil
}
