package wire

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Request is the body of a request for a decision, with every default written out, save what is left to a seal. DecodeDecision
// of its JSON gives the policy.Request that EncodeRequest was given, as long as no candidate has
// faults. Of a policy.Request in normal form it gives one with the same normal form: some of its
// sources are nested again.
type Request struct {
	Turn        Turn        `json:"turn"`
	Inheritance Inheritance `json:"inheritance"`
	Candidates  []Candidate `json:"candidates"`
}

// Turn is the turn as a request states it.
type Turn struct {
	ID              string         `json:"id,omitzero"`
	Attempt         int            `json:"attempt"`
	Tenant          string         `json:"tenant,omitzero"`
	Agent           string         `json:"agent"`
	Channel         string         `json:"channel,omitzero"`
	Viewers         *[]string      `json:"viewers"` // null: not known
	ViewersBasis    string         `json:"viewers_basis"`
	ExternalViewers []string       `json:"external_viewers,omitzero"`
	RevokedViewers  []string       `json:"revoked_viewers,omitzero"`
	Evidence        []Evidence     `json:"evidence,omitzero"`
	Attributes      jsontext.Value `json:"attributes,omitzero"`
}

// Evidence is one independent reading of who is in the room.
type Evidence struct {
	Source     string   `json:"source,omitzero"`
	Viewers    []string `json:"viewers"`
	Complete   bool     `json:"complete"`
	ObservedAt string   `json:"observed_at,omitzero"`
}

// Inheritance is what the agent may take over from other agents.
type Inheritance struct {
	AuthorizedAgents     []string `json:"authorized_agents,omitzero"`
	ProhibitConfidential bool     `json:"prohibit_confidential"`
	RequireAttribution   bool     `json:"require_attribution"`
}

// Candidate is the labels of one memory item. Audience, AudienceBasis, Shared, Kind and Sources are nil
// where they are left to the seal.
type Candidate struct {
	ID            string         `json:"id,omitzero"`
	Audience      any            `json:"audience,omitzero"` // nil where it is that of the sources
	AudienceBasis *string        `json:"audience_basis,omitzero"`
	Tenant        string         `json:"tenant,omitzero"`
	Channel       string         `json:"channel,omitzero"`
	Agent         string         `json:"agent,omitzero"`
	Shared        *bool          `json:"shared,omitzero"`
	Confidential  *bool          `json:"confidential,omitzero"`
	Kind          *string        `json:"kind,omitzero"`
	Sources       []Source       `json:"sources,omitzero"`
	State         string         `json:"state"`
	RecordedAt    string         `json:"recorded_at,omitzero"`
	ExpiresAt     string         `json:"expires_at,omitzero"`
	Digest        string         `json:"digest,omitzero"`
	Seal          string         `json:"seal,omitzero"`
	Store         string         `json:"store,omitzero"`
	Attributes    jsontext.Value `json:"attributes,omitzero"`

	// Faults and Result belong to a Record. A request with them is denied, as it should be: what
	// was wrong with the candidate is not kept, so it cannot be asked about again.
	Faults []Fault `json:"faults,omitzero"`
	Result *Result `json:"result,omitzero"`
}

// Source is the label of something an item was derived from.
type Source struct {
	ID           string   `json:"id,omitzero"`
	Audience     any      `json:"audience,omitzero"`
	Tenant       string   `json:"tenant,omitzero"`
	Agent        string   `json:"agent,omitzero"`
	Confidential *bool    `json:"confidential,omitzero"`
	State        string   `json:"state"`
	ExpiresAt    string   `json:"expires_at,omitzero"`
	Sources      []Source `json:"sources,omitzero"`
}
