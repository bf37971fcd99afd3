package policy

import "context"

// Registry is what this service itself has recorded and no caller can claim: rosters of channels
// and grants of items. Errors deny the whole request.
type Registry interface {
	// Facts returns what is known about the turn's channel and the candidates. It is asked once a
	// decision, with the normalised request, which it must not change.
	Facts(ctx context.Context, req *Request) (Facts, error)
}

// Facts are the registry's answer for one request. The zero value knows nothing.
type Facts struct {
	// Roster is who the service has on record for the turn's channel; nil where it keeps none.
	Roster *Roster

	// Grants has, by position of the candidate, the exact viewer set that the item was granted to:
	// sorted and distinct. Positions without a grant are absent.
	Grants map[int][]string

	// Seals has, by position of the candidate, what came of verifying its seal. A seal without an
	// element is invalid. The decision point fills it in, whatever a Registry says; only where
	// Config.Seals is nil does it take a Registry's word, so that a recorded decision can be made
	// again without the keys.
	Seals map[int]SealCheck
}

// Roster is one channel's membership at the moment of the decision: sorted and distinct.
type Roster struct {
	Members []string

	// Revoked are former members whose access to what they saw was withdrawn.
	Revoked []string
}
