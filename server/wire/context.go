package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"earshot/decisionlog/contextcheck"
	"earshot/policy"
)

// maxSegments is how many segments one context may have.
const maxSegments = 1000

// ContextRequest asks whether a context is covered by what its turn was admitted.
type ContextRequest struct {
	// Check has what was asked. Of each segment that has a text, the digest is that of the text.
	Check contextcheck.Request

	// ContextID is set instead of Check.DecisionID where the request names a context.
	ContextID string
}

// DecodeContextCheck reads the body of a request to check a context. Anything wrong refuses it. The
// error is an *Error; nothing of the request is then to be used.
func DecodeContextCheck(body []byte, limits Limits) (ContextRequest, error) {
	return decode(body, limits, (*reader).contextCheck)
}

func (r *reader) contextCheck() ContextRequest {
	var req ContextRequest
	var turn, segments bool
	isObject := r.object(func(name string) {
		switch name {
		case "decision_id":
			req.Check.DecisionID = r.label()
		case "context_id":
			req.ContextID = r.label()
		case "turn":
			turn = true
			r.must()
			req.Check.Turn = r.turn()
		case "segments":
			segments = true
			r.must()
			req.Check.Segments = r.segments()
		default:
			r.unknown()
		}
	})
	switch {
	case !isObject:
	case req.Check.DecisionID != "" && req.ContextID != "":
		r.note(policy.CodeMalformed, "/context_id", "stands beside decision_id; give one of them")
	case req.Check.DecisionID == "" && req.ContextID == "":
		r.missing("decision_id", "name the decision that admitted what is in the context")
	}
	if !turn {
		r.missing("turn", "say whose context it is and who is listening")
	}
	if !segments {
		r.missing("segments", "send the parts of the context")
	}
	if segments && len(req.Check.Segments) == 0 {
		r.note(policy.CodeMalformed, "/segments", "must not be empty: send the parts of the context")
	}
	return req
}

func (r *reader) segments() []contextcheck.Segment {
	segments := []contextcheck.Segment{}
	r.list(func(i int) {
		if i == maxSegments {
			r.fail(&Error{Code: CodeTooLarge, Pointer: "/segments", Detail: fmt.Sprintf("are more than %d", i)})
			return
		}
		segments = append(segments, r.segment(i))
	})
	return segments
}

func (r *reader) segment(i int) contextcheck.Segment {
	var s contextcheck.Segment
	text := false
	isObject := r.object(func(name string) {
		switch name {
		case "item_id":
			s.ItemID = r.label()
		case "digest":
			s.Digest = r.label()
		case "text":
			text = true
			r.must()
			s.Text = r.text()
		default:
			r.unknown()
		}
	})
	place := fmt.Sprintf("/segments/%d", i)
	switch {
	case !isObject:
	case !text && s.ItemID == "":
		r.note(policy.CodeMalformed, place, "has neither item_id nor text; give one of them")
	case !text && s.Digest == "":
		r.note(policy.CodeMalformed, place, "has neither digest nor text; give one of them")
	}
	if !text {
		return s
	}
	sum := sha256.Sum256([]byte(s.Text))
	digest := "sha256:" + hex.EncodeToString(sum[:])
	if s.Digest != "" && s.Digest != digest {
		r.note(policy.CodeMalformed, place+"/digest", "is not that of the text; leave it out")
	}
	s.Digest = digest
	return s
}

// ContextAnswer is what came of checking a context.
type ContextAnswer struct {
	OK             bool      `json:"ok"`
	VerificationID string    `json:"verification_id"`
	DecisionID     string    `json:"decision_id"`
	VerifiedAt     string    `json:"verified_at"` // RFC 3339 in UTC, in microseconds
	PolicyRevision string    `json:"policy_revision"`
	Findings       []Finding `json:"findings"`
	Directive      string    `json:"directive"`
	Log            *Log      `json:"log"`

	// Receipts has the signed statement about the findings; it is an empty object where there are none.
	Receipts
}

// Finding is one way in which a segment is not covered.
type Finding struct {
	Segment int    `json:"segment"` // from 0
	Kind    string `json:"kind"`
	ItemID  string `json:"item_id,omitzero"`
}

// EncodeContextCheck returns the answer for a.
func EncodeContextCheck(a *contextcheck.Answer) ContextAnswer {
	out := ContextAnswer{
		OK:             len(a.Findings) == 0,
		VerificationID: a.ID,
		DecisionID:     a.DecisionID,
		VerifiedAt:     stamp(a.At),
		PolicyRevision: a.PolicyRevision,
		Findings:       make([]Finding, len(a.Findings)),
		Directive:      contextDirective(a),
		Log:            position(a.Log),
		Receipts:       EncodeReceipts(a.Receipts),
	}
	for i, f := range a.Findings {
		out.Findings[i] = Finding(f)
	}
	if out.Receipts.Receipts == nil {
		out.Receipts.Receipts = map[string]json.RawMessage{}
	}
	return out
}

// contextDirective puts a check into a sentence, in the form of the directives of decisions.
func contextDirective(a *contextcheck.Answer) string {
	if len(a.Findings) == 0 {
		return fmt.Sprintf("PROCEED: %d segments are covered by the decision.", len(a.Segments))
	}
	uncovered := map[int]bool{}
	for _, f := range a.Findings {
		uncovered[f.Segment] = true
	}
	return fmt.Sprintf("HALT: %d of %d segments are not covered by the decision.", len(uncovered), len(a.Segments))
}
