package policy

// Reason codes that Go itself reads or writes. All others are known to the policy alone, where
// they live in the METADATA of their rule.
const (
	CodeMalformed           = "malformed"
	CodeUnknownField        = "unknown_field"
	CodePolicyError         = "policy_error"
	CodeInvariantViolation  = "invariant_violation"
	codeConfidential        = "confidential_from_other_agent"
	codeUnattributed        = "unattributed"
	codeUnshared            = "unshared_from_other_agent"
	codeAgentNotAuthorized  = "agent_not_authorized"
	codeForeignDirective    = "foreign_directive"
	codeSourceNarrower      = "source_audience_narrower"
	codeViewerNotInAudience = "viewer_not_in_audience"

	// CodeHandoffHalted is the reason of an element that no gate held back, in a hand-off that halts.
	CodeHandoffHalted = "handoff_halted"

	// The gates by which the reference profile lets an element pass.
	codeAuthorizedSharing = "authorized_sharing"
	codeIsolated          = "isolated_context"

	codeBoundaryUndefined = "boundary_undefined"
	codePrivate           = "private_to_other_agent"
	codeChainTooLong      = "chain_too_long"

	obligationLabelSource = "label_source"
)
