package wire

import (
	"slices"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
)

// Findings is a part of the findings, newest first.
type Findings struct {
	Findings []FindingLine `json:"findings"`

	// NextCursor asks for the next page; null on the last one.
	NextCursor *string `json:"next_cursor"`
}

// FindingLine is a LoggedFinding or an Unread.
type FindingLine interface{ finding() }

// LoggedFinding is an entry by which something reached, or would have reached, a context that it does not
// belong into.
type LoggedFinding struct {
	FindingID      string         `json:"finding_id"`
	Type           string         `json:"type"` // decision, handoff or verification
	State          string         `json:"state"`
	DecisionID     string         `json:"decision_id"`
	FoundAt        string         `json:"found_at"`
	PolicyRevision string         `json:"policy_revision"`
	RequestedBy    string         `json:"requested_by,omitzero"`
	Tenant         string         `json:"tenant"`
	Channel        string         `json:"channel"`
	Agent          string         `json:"agent"`
	Verdict        policy.Verdict `json:"verdict,omitzero"`  // of a decision or a hand-off
	Findings       []Finding      `json:"findings,omitzero"` // of a verification
	Dispositions   []Disposition  `json:"dispositions"`
	Log            *Log           `json:"log"`
}

func (LoggedFinding) finding() {}

func (Unread) finding() {}

// Disposition is what a reviewer said of a finding.
type Disposition struct {
	DispositionID string `json:"disposition_id"`
	FindingID     string `json:"finding_id"`
	Disposition   string `json:"disposition"`
	Note          string `json:"note,omitzero"`
	RequestedBy   string `json:"requested_by,omitzero"`
	RecordedAt    string `json:"recorded_at"`
	Log           *Log   `json:"log"`
}

// EncodeFindings returns the answer for a page.
func EncodeFindings(page *decisionlog.FindingPage) Findings {
	out := Findings{Findings: make([]FindingLine, len(page.Findings)), NextCursor: cursor(page.Next)}
	for i := range page.Findings {
		f := &page.Findings[i]
		if f.Damage != nil {
			out.Findings[i] = encodeUnread(&f.Registered)
			continue
		}
		out.Findings[i] = encodeFinding(f)
	}
	return out
}

func encodeFinding(f *decisionlog.Finding) LoggedFinding {
	out := LoggedFinding{
		FindingID: f.ID, Type: f.Type, State: f.State(), DecisionID: f.DecisionID, FoundAt: stamp(f.At), PolicyRevision: f.PolicyRevision,
		RequestedBy: f.RequestedBy, Tenant: f.Tenant, Channel: f.Channel, Agent: f.Agent, Verdict: f.Verdict,
		Dispositions: make([]Disposition, len(f.Dispositions)), Log: position(f.Log),
	}
	for _, found := range f.Findings {
		out.Findings = append(out.Findings, Finding(found))
	}
	for i := range f.Dispositions {
		out.Dispositions[i] = EncodeDisposition(&f.Dispositions[i].Disposition, f.Dispositions[i].Log)
	}
	return out
}

// EncodeDisposition returns the answer for d, which the log holds at p.
func EncodeDisposition(d *decisionlog.Disposition, p policy.Position) Disposition {
	return Disposition{
		DispositionID: d.ID, FindingID: d.FindingID, Disposition: d.Disposition, Note: d.Note, RequestedBy: d.RequestedBy,
		RecordedAt: stamp(d.At), Log: position(p),
	}
}

// DispositionRequest is what a reviewer says of a finding.
type DispositionRequest struct {
	Disposition, Note string
}

// DecodeDisposition reads the body of a disposition. Anything wrong refuses it. The error is an *Error.
func DecodeDisposition(body []byte, limits Limits) (DispositionRequest, error) {
	return decode(body, limits, (*reader).disposition)
}

func (r *reader) disposition() DispositionRequest {
	var req DispositionRequest
	given := false
	r.object(func(name string) {
		switch name {
		case "disposition":
			given = true
			if req.Disposition = r.text(); !slices.Contains(decisionlog.Dispositions(), req.Disposition) {
				r.note(policy.CodeMalformed, "/disposition", "must be one of "+strings.Join(decisionlog.Dispositions(), ", "))
			}
		case "note":
			if req.Note = r.label(); req.Note == "" {
				return
			}
			if err := policy.CheckLabel(req.Note); err != nil {
				r.note(policy.CodeMalformed, "/note", err.Error())
			}
		default:
			r.unknown()
		}
	})
	if !given {
		r.missing("disposition", "say one of "+strings.Join(decisionlog.Dispositions(), ", "))
	}
	return req
}
