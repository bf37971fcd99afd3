package policy

import (
	"encoding/json"
	"time"
)

// BasisPlatform is the one basis on which a viewer set counts as authenticated.
const BasisPlatform = "platform"

// Turn is one step of one conversation in which an agent is about to be given a context.
type Turn struct {
	// ID, Channel and Attempt are the caller's names for things; empty when absent, Attempt at
	// least 1. Every physical model attempt is a decision of its own.
	ID      string
	Channel string
	Attempt int

	// Tenant is empty in a single-tenant installation.
	Tenant string

	// Agent is the principal whose context is assembled. Required.
	Agent string

	// Viewers will be able to read what the agent says in this turn, V(C) in the papers. Nil means
	// that they are not known; empty means that nobody is there. Both are ambiguous.
	Viewers []string

	// ViewersBasis says how Viewers was established. Anything but BasisPlatform, the zero value
	// included, is ambiguous.
	ViewersBasis string

	// ExternalViewers are the viewers from outside the tenant.
	ExternalViewers []string

	// RevokedViewers had their access withdrawn since: they are in nobody's audience any more.
	RevokedViewers []string

	// Evidence are independent readings of who is in the room.
	Evidence []Evidence

	// Attributes is a JSON object for the rules that authors add; nil when absent.
	Attributes json.RawMessage
}

// Evidence is one independent reading of who is in the room.
type Evidence struct {
	// Source is the caller's name for where the reading comes from; empty when absent.
	Source string

	Viewers []string

	// Complete is false for a reading that was cut short.
	Complete bool

	// ObservedAt is when the reading was made. Zero means that it was made for this request.
	ObservedAt time.Time
}

// Inheritance says what the agent may take over from other agents. The zero value is the closed
// one: nobody is authorised, nothing confidential passes, everything needs an attribution.
type Inheritance struct {
	AuthorizedAgents  []string
	AllowConfidential bool
	AllowUnattributed bool
}
