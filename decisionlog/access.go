package decisionlog

import (
	"context"
	"time"

	"earshot/policy"
)

// Kinds of question that are recorded. The words are those of the wire contract.
const (
	AccessList      = "list"
	AccessGet       = "get"
	AccessExposures = "exposures"
	AccessStats     = "stats"
	AccessFindings  = "findings"
	AccessAccesses  = "accesses"
	AccessErasures  = "erasures"
	AccessExport    = "export"
	AccessEvidence  = "evidence"
)

// AccessKinds returns the kinds of question, in the order of the contract.
func AccessKinds() []string {
	return []string{
		AccessList, AccessGet, AccessExposures, AccessStats, AccessFindings, AccessAccesses, AccessErasures,
		AccessExport, AccessEvidence,
	}
}

// Doors through which a question comes.
const (
	DoorHTTP        = "http"
	DoorCommandLine = "command_line"
)

// ResultsUnknown stands for the number of results of an answer that is streamed: the question is recorded
// before its first byte.
const ResultsUnknown = -1

// NotInLedger stands for a filter whose text the ledger did not have when the question was recorded. The
// text itself is not kept: to ask after somebody must not put a name into the ledger, least of all one
// that was erased from it.
const NotInLedger = "(not in the ledger)"

// Access is one question that was asked of the log, as it goes to the log itself.
type Access struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	// PolicyRevision is the digest of the bundle in force; empty where none is, as on the command line.
	PolicyRevision string

	// RequestedBy names the credential that asked, or on the command line the account of the operating
	// system; empty where no authentication is configured.
	RequestedBy string

	// Door is DoorHTTP or DoorCommandLine.
	Door string

	// Kind is one of AccessKinds.
	Kind string

	// DecisionID is the decision that was asked for, in the questions that have one. Only the id of an
	// entry is kept.
	DecisionID string

	// Principal is the person whose exposures were asked for.
	Principal string

	// Query has the filters. Limit is what was stated, Cursor is kept as whether there was one.
	Query Query

	// Results is how many results were answered, or ResultsUnknown.
	Results int
}

// RecordAccess appends a question to the ledger, on the terms of Record. It is to be called before the
// answer is given, and its error means that none may be given.
func (l *Log) RecordAccess(ctx context.Context, a *Access) (policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return policy.Position{}, err
	}
	head, err := newLeaf(leafAccess, a.ID, a.At, a.PolicyRevision)
	if err != nil {
		return policy.Position{}, err
	}
	return l.record(ctx, func() (*draft, error) {
		refs, err := l.references(ctx, a)
		if err != nil {
			return nil, err
		}
		return encode(head, 0, l.known, func(f *form) error {
			writeAccess(f, a, refs)
			return nil
		})
	})
}
