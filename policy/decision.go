package policy

import (
	"context"
	"time"
)

// Request is one question to the decision point.
type Request struct {
	Turn        Turn
	Inheritance Inheritance
	Candidates  []Candidate

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string
}

// Entry is one decision as it goes to the log: all that was asked, in normal form (sets sorted and
// distinct, sources flattened), all that this service added to it, and all that was answered. It
// is enough to decide again.
type Entry struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is the decision's clock, in UTC, in whole microseconds. The policy saw the same instant.
	At time.Time

	// PolicyRevision is the digest of the bundle that decided, "sha256:" and 64 hex digits.
	PolicyRevision string

	Request   Request
	Facts     Facts
	Viewers   Viewers
	Verdict   Verdict
	Directive string

	// Results has one element for each candidate, in order.
	Results []Result
}

// Viewers is the resolved viewer set of a turn.
type Viewers struct {
	// Known is false where it is not certain who is listening; then only public items pass.
	Known bool

	// Reasons are the codes that make the set ambiguous, sorted; empty when Known.
	Reasons []string

	// Present are the viewers that count, sorted: declared internal bots are left out.
	Present []string

	// Digest is the SHA-256 of the viewers as stated, in the form of ViewersDigest.
	Digest string
}

// Status returns "known" or "ambiguous".
func (v Viewers) Status() string {
	if v.Known {
		return "known"
	}
	return "ambiguous"
}

// Result is the decision about the candidate at one position.
type Result struct {
	// ID is the candidate's id; empty where the candidate had none that could be read.
	ID    string
	Admit bool

	// Reasons are the permits of an admit or the forbids of a deny, sorted, never empty.
	Reasons []string

	// Obligations are what a caller must do with an admitted item, sorted; empty for a deny.
	Obligations []string
}

// Counts returns how many candidates were admitted and how many denied.
func (e *Entry) Counts() (admitted, denied int) { return countResults(e.Results) }

func countResults(results []Result) (admitted, denied int) {
	for i := range results {
		if results[i].Admit {
			admitted++
		}
	}
	return admitted, len(results) - admitted
}

// Position is where the log holds an entry.
type Position struct {
	// Index counts entries from 0.
	Index uint64

	// Leaf is the RFC 6962 leaf hash of the entry.
	Leaf [32]byte
}

// Recorder keeps decisions. Record returns after the entry is durable and not before; with an error
// nothing is admitted. It must not keep or change the entry, and is safe for concurrent use.
type Recorder interface {
	Record(ctx context.Context, entry *Entry) (Position, error)
}

// Decision is a recorded entry, with the admissions it gives.
type Decision struct {
	Entry
	Log Position

	// Failures are what went wrong inside the policy: one for each result with CodePolicyError, by
	// position. They are for the operator and are not recorded.
	Failures []Failure

	admitted []Admitted
}

// Failure is a candidate about which the policy gave no usable answer.
type Failure struct {
	Position int

	// Cause has file and line of the policy where there are any.
	Cause error
}

// Admitted returns one admission for each admitted result, in order.
func (d *Decision) Admitted() []Admitted { return append([]Admitted(nil), d.admitted...) }
