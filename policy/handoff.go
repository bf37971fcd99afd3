package policy

import (
	"context"
	"time"
)

// Profile says by whose rules a hand-off is decided.
type Profile string

// The profiles.
const (
	// ProfileStrict asks the gates of the policy, and denies where one of them holds.
	ProfileStrict Profile = "strict"

	// ProfileReference answers as the published bleed guard does, so that a caller can switch over.
	// It takes an element that is not shared for isolated, and asks for no boundary.
	ProfileReference Profile = "reference"
)

// Handoff is one question to the decision point: may an agent inherit these elements of a context?
type Handoff struct {
	// Agent is the principal that inherits. Required.
	Agent string

	// Tenant is that of the credential that asked; empty where it is bound to none.
	Tenant string

	// Elements are what it is to inherit. They carry labels, never text.
	Elements []Element

	// Inheritance is what the agent may take over from other agents.
	Inheritance Inheritance

	Boundary Boundary

	// Profile is ProfileStrict where it is empty.
	Profile Profile

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string
}

// Boundary is what a caller states about the memory that agents have in common. The zero value
// states nothing.
type Boundary struct {
	// Stated is false where the caller said nothing about the boundary. Then the rest is zero.
	Stated bool

	// SharedSubstrate says whether the agents keep their memory in one place.
	SharedSubstrate Substrate

	// SingleSource is the one agent that everything without a source comes from; empty when absent.
	SingleSource string

	// PrivateTo has, by agent, the ids of the elements that only this agent may have. An element on
	// several lists is for each of their agents.
	PrivateTo map[string][]string
}

// Substrate is a statement that may be left open. The zero value is open, which counts as shared.
type Substrate uint8

// The values of Substrate.
const (
	SubstrateUnstated Substrate = iota
	SubstrateShared
	SubstrateSeparate
)

// HandoffEntry is one decided hand-off as it goes to the log: all that was asked, in normal form,
// and all that was answered. It is enough to decide again.
type HandoffEntry struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is the decision's clock, in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force, "sha256:" and 64 hex digits. The reference
	// profile does not ask it.
	PolicyRevision string

	Request Handoff

	// Seals has, by position of the element, what came of verifying its seal, where it has one. A seal
	// without a finding is invalid. The reference profile verifies none.
	Seals map[int]SealCheck

	Verdict   Verdict
	Directive string

	// ManifestDigest is a SHA-256 in 64 hex digits. In the strict profile it is that of
	// HandoffManifest; in the reference profile that of the published guard.
	ManifestDigest string

	// Results has one result for each element, in order. Where the directive is to halt, none admits.
	Results []Result
}

// Counts returns how many elements were admitted and how many denied.
func (e *HandoffEntry) Counts() (admitted, denied int) { return countResults(e.Results) }

// HandoffRecorder keeps decided hand-offs, on the terms of a Recorder.
type HandoffRecorder interface {
	RecordHandoff(ctx context.Context, entry *HandoffEntry) (Position, error)
}

// HandoffDecision is a recorded hand-off. It gives no Admitted: what an agent inherits has still to
// be decided for the viewers of its turn.
type HandoffDecision struct {
	HandoffEntry
	Log Position

	// Failures are what went wrong inside the policy: one for each result with CodePolicyError, by
	// position. They are for the operator and are not recorded.
	Failures []Failure
}
