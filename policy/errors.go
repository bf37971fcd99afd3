package policy

import (
	"errors"
	"fmt"
)

// Errors a caller can tell apart with errors.Is. A deny is a result, never an error.
var (
	// ErrInvalidRequest means the turn or the inheritance does not have the form the contract
	// asks for. The error is an *InvalidError, which says where. Nothing was decided.
	ErrInvalidRequest = errors.New("invalid request")

	// ErrNotRecorded means the Recorder did not confirm that the decision is durable. Nothing is
	// admitted. The entry may or may not be in the log; a caller asks again with a new attempt.
	ErrNotRecorded = errors.New("decision not recorded")

	// ErrPolicyUnavailable means the policy could not be evaluated for the turn as a whole, for
	// instance because its time ran out. Nothing is admitted and nothing was recorded.
	ErrPolicyUnavailable = errors.New("policy unavailable")

	// ErrSeal means a seal says nothing: no key of this service made it, or what it says is not kept
	// any more. It is a result of the candidate, never of a decision.
	ErrSeal = errors.New("seal is invalid")

	// ErrBundle means a policy bundle cannot be used: it does not compile, lacks the entrypoint
	// or fails its self-check. The message has file, line and reason.
	ErrBundle = errors.New("policy bundle refused")

	// ErrDisagree means that OPA and the closures of a policy answer one question differently. The
	// message shows what, and names people.
	ErrDisagree = errors.New("the tiers of the policy disagree")
)

// InvalidError says which part of a request is wrong and what to do about it. It matches
// ErrInvalidRequest.
type InvalidError struct {
	// Pointer is a JSON pointer (RFC 6901) into the request body, such as /turn/viewers/0.
	Pointer string

	// Problem is a sentence for the caller.
	Problem string
}

// Error returns the pointer and the problem.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s: %s", e.Pointer, e.Problem)
}

// Is reports whether target is ErrInvalidRequest.
func (e *InvalidError) Is(target error) bool { return target == ErrInvalidRequest }

func invalid(pointer, format string, args ...any) error {
	return &InvalidError{Pointer: pointer, Problem: fmt.Sprintf(format, args...)}
}
