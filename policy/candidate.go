package policy

import (
	"encoding/json"
	"time"
)

// Defaults of a candidate's labels, as the wire contract has them. A decoder fills them in; a
// Candidate made in Go without them is denied.
const (
	BasisRecorded = "recorded"
	StateLive     = "live"
	KindFact      = "fact"
)

// Kinds of item that mean something between agents: an order, and a bias.
const (
	kindDirective = "directive"
	kindPrior     = "prior"
)

// Confidentiality is a mark that a label may leave open. The zero value is open, which counts as
// confidential wherever another agent reads.
type Confidentiality uint8

// The values of Confidentiality.
const (
	ConfidentialityUnstated Confidentiality = iota
	Confidential
	NotConfidential
)

// Labels is a set of labels of a candidate.
type Labels uint8

// The labels that have no value which means absent.
const (
	LabelAudience Labels = 1 << iota
	LabelAudienceBasis
	LabelShared
	LabelKind
	LabelSources
)

// Candidate is one memory item that retrieval found for the turn. It carries labels, never text.
type Candidate struct {
	// ID is the caller's id of the item. The same id twice is legal; results answer by position.
	ID string

	Audience Audience

	// AudienceBasis says how Audience was established. Anything but BasisRecorded denies.
	AudienceBasis string

	// Tenant and Channel say where the item was recorded; empty when absent.
	Tenant  string
	Channel string

	// Agent introduced the item; empty when nobody is named.
	Agent string

	Shared       bool
	Confidential Confidentiality

	// Kind is one of Kinds.
	Kind string

	// Sources are what the item was derived from.
	Sources []Source

	// State is StateLive or what took its place; anything but StateLive denies.
	State string

	// RecordedAt and ExpiresAt are zero when absent.
	RecordedAt time.Time
	ExpiresAt  time.Time

	// Digest is of the content, as "sha256:" and 64 lower-case hex digits; empty when absent.
	Digest string

	// Seal is a provenance signature as the caller handed it in; empty when absent. An Entry has its
	// digest, "sha256:" and 64 hex digits: its text names the item, and no record needs it.
	Seal string

	// Unstated are the labels that the caller left to the seal; the zero value states all. Labels
	// whose empty value means absent need no mark. Without a seal it says nothing, and in an Entry it
	// is zero.
	Unstated Labels

	// Store is where the item was found; empty when absent.
	Store string

	// Attributes is a JSON object for the rules that authors add; nil when absent.
	Attributes json.RawMessage

	// Faults are what a decoder found wrong with the candidate's form. Any fault denies.
	Faults []Fault
}

// Source is the label of something an item was derived from.
type Source struct {
	ID           string
	Audience     Audience
	Tenant       string
	Agent        string
	Confidential Confidentiality
	State        string
	ExpiresAt    time.Time

	// Sources are what the source was itself derived from. The decision point flattens them; an
	// Entry has none.
	Sources []Source
}

// Fault is one way in which a candidate does not fit the contract.
type Fault struct {
	// Code is CodeMalformed or CodeUnknownField.
	Code string

	// Field names the place inside the candidate, such as audience or sources/0/agent.
	Field string

	// Problem is a sentence fragment for the caller that fits after the field's name.
	Problem string
}

// Kinds are the kinds of item, in the order of the wire contract. Summary, node and edge are
// derived: they must name their sources.
func Kinds() []string {
	return []string{"message", KindFact, "document", "tool_result", kindDirective, kindPrior, "summary", "node", "edge"}
}
