package wire

import (
	"earshot/decisionlog"
	"earshot/policy"
)

// HandoffAnswer is the answer to a request for a hand-off.
type HandoffAnswer struct {
	DecisionID     string          `json:"decision_id"`
	DecidedAt      string          `json:"decided_at"` // RFC 3339 in UTC, in microseconds
	PolicyRevision string          `json:"policy_revision"`
	Verdict        policy.Verdict  `json:"verdict"`
	Directive      string          `json:"directive"`
	ManifestDigest string          `json:"manifest_digest"` // 64 hex digits
	Results        []ElementResult `json:"results"`
	Counts         Counts          `json:"counts"`

	// Log is where the hand-off is recorded. A caller that did not record it sets nil, which reads
	// as null.
	Log *Log `json:"log"`

	// Receipts are missing only where nothing was recorded.
	Receipts
}

// ElementResult is the decision about one element.
type ElementResult struct {
	Position    int            `json:"position"`
	ElementID   string         `json:"element_id"`
	Admit       bool           `json:"admit"`
	Reasons     []string       `json:"reasons"`
	Obligations []string       `json:"obligations"`
	Detail      *ElementDetail `json:"detail,omitzero"`
}

// ElementDetail explains one result; nil unless the caller asked for an explanation.
type ElementDetail struct {
	// Failure is what went wrong inside the policy; empty unless the reason is policy_error.
	Failure string `json:"failure,omitzero"`
	Rules   []Rule `json:"rules"`
}

// HandoffRecord is one logged hand-off whole.
type HandoffRecord struct {
	Type           string          `json:"type"` // always handoff
	DecisionID     string          `json:"decision_id"`
	DecidedAt      string          `json:"decided_at"`
	PolicyRevision string          `json:"policy_revision"`
	RequestedBy    string          `json:"requested_by,omitzero"`
	Tenant         string          `json:"tenant"`
	Request        HandoffRequest  `json:"request"`
	Verdict        policy.Verdict  `json:"verdict"`
	Directive      string          `json:"directive"`
	ManifestDigest string          `json:"manifest_digest"`
	Results        []ElementResult `json:"results"`
	Counts         Counts          `json:"counts"`
	Log            *Log            `json:"log"`
}

// HandoffSummary is one logged hand-off in a list.
type HandoffSummary struct {
	Type           string         `json:"type"` // always handoff
	DecisionID     string         `json:"decision_id"`
	DecidedAt      string         `json:"decided_at"`
	PolicyRevision string         `json:"policy_revision"`
	RequestedBy    string         `json:"requested_by,omitzero"`
	Tenant         string         `json:"tenant"`
	Agent          string         `json:"agent"`
	Verdict        policy.Verdict `json:"verdict"`
	Counts         Counts         `json:"counts"`
	Log            *Log           `json:"log"`
}

func (HandoffSummary) line() {}

// typeHandoff tells a hand-off from a decision where both can stand.
const typeHandoff = "handoff"

// EncodeHandoff returns the answer for d. Details are those of policy.Point.ExplainHandoff, one a
// result, where the caller asked for them and may see them; nil otherwise.
func EncodeHandoff(d *policy.HandoffDecision, details []policy.Detail) HandoffAnswer {
	a := HandoffAnswer{
		DecisionID:     d.ID,
		DecidedAt:      stamp(d.At),
		PolicyRevision: d.PolicyRevision,
		Verdict:        d.Verdict,
		Directive:      d.Directive,
		ManifestDigest: d.ManifestDigest,
		Results:        elementResults(d.Results),
		Counts:         handoffCounts(&d.HandoffEntry),
		Log:            position(d.Log),
	}
	for i := range details {
		rules := make([]Rule, len(details[i].Rules))
		for j, rule := range details[i].Rules {
			rules[j] = Rule(rule)
		}
		a.Results[i].Detail = &ElementDetail{Failure: details[i].Failure, Rules: rules}
	}
	return a
}

// EncodeHandoffRecord returns the record of e, which the log holds at p.
func EncodeHandoffRecord(e *policy.HandoffEntry, p policy.Position) HandoffRecord {
	return HandoffRecord{
		Type:           typeHandoff,
		DecisionID:     e.ID,
		DecidedAt:      stamp(e.At),
		PolicyRevision: e.PolicyRevision,
		RequestedBy:    e.Request.RequestedBy,
		Tenant:         e.Request.Tenant,
		Request:        EncodeHandoffRequest(&e.Request),
		Verdict:        e.Verdict,
		Directive:      e.Directive,
		ManifestDigest: e.ManifestDigest,
		Results:        elementResults(e.Results),
		Counts:         handoffCounts(e),
		Log:            position(p),
	}
}

func encodeHandoffSummary(s *decisionlog.Summary) HandoffSummary {
	return HandoffSummary{
		Type:           typeHandoff,
		DecisionID:     s.ID,
		DecidedAt:      stamp(s.At),
		PolicyRevision: s.PolicyRevision,
		RequestedBy:    s.RequestedBy,
		Tenant:         s.Tenant,
		Agent:          s.Agent,
		Verdict:        s.Verdict,
		Counts:         Counts{Admitted: s.Admitted, Denied: s.Denied},
		Log:            position(s.Log),
	}
}

func elementResults(results []policy.Result) []ElementResult {
	out := make([]ElementResult, len(results))
	for i := range results {
		r := &results[i]
		out[i] = ElementResult{
			Position: i, ElementID: r.ID, Admit: r.Admit, Reasons: full(r.Reasons), Obligations: full(r.Obligations),
		}
	}
	return out
}

func handoffCounts(e *policy.HandoffEntry) Counts {
	admitted, denied := e.Counts()
	return Counts{Admitted: admitted, Denied: denied}
}
