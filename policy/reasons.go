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
)
