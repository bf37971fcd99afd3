package wire

import (
	"encoding/hex"
	"time"

	"earshot/policy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer is the answer to a request for a decision. Its fields stand in the order of the contract.
type Answer struct {
	DecisionID     string         `json:"decision_id"`
	DecidedAt      string         `json:"decided_at"` // RFC 3339 in UTC, in microseconds
	PolicyRevision string         `json:"policy_revision"`
	Viewers        Viewers        `json:"viewers"`
	Verdict        policy.Verdict `json:"verdict"`
	Directive      string         `json:"directive"`
	Admitted       []string       `json:"admitted"` // ids in the order of the candidates
	Results        []Result       `json:"results"`
	Counts         Counts         `json:"counts"`

	// Log is where the decision is recorded. A caller that did not record it sets nil, which
	// reads as null.
	Log *Log `json:"log"`

	// Receipts are there where the caller asked for them.
	Receipts
}

// Viewers is the resolved viewer set. A list that does not belong into an answer is nil.
type Viewers struct {
	Status  string   `json:"status"` // known or ambiguous
	Reasons []string `json:"reasons"`
	Digest  string   `json:"digest,omitzero"`
	Present []string `json:"present,omitzero"`
}

// Result is the decision about one candidate.
type Result struct {
	Position    int      `json:"position"`
	ID          string   `json:"id"`
	Admit       bool     `json:"admit"`
	Reasons     []string `json:"reasons"`
	Obligations []string `json:"obligations,omitzero"` // of an admit, even if empty; nil for a deny
	Detail      *Detail  `json:"detail,omitzero"`
}

// Counts says how many candidates were admitted and denied.
type Counts struct {
	Admitted int `json:"admitted"`
	Denied   int `json:"denied"`
}

// Log is a position in the decision log.
type Log struct {
	Index uint64 `json:"index"`
	Leaf  string `json:"leaf"` // RFC 6962 leaf hash, "sha256:" and 64 hex digits
}

// EncodeDecision returns the answer for d. Details are those of policy.Point.Explain, one a
// result, where the caller asked for them and may see them; nil otherwise. Faults in the form of a
// candidate name no person and are always told.
func EncodeDecision(d *policy.Decision, details []policy.Detail) Answer {
	a := Answer{
		DecisionID:     d.ID,
		DecidedAt:      stamp(d.At),
		PolicyRevision: d.PolicyRevision,
		Viewers: Viewers{
			Status:  d.Viewers.Status(),
			Reasons: full(d.Viewers.Reasons),
			Digest:  d.Viewers.Digest,
		},
		Verdict:   d.Verdict,
		Directive: d.Directive,
		Admitted:  []string{},
		Results:   make([]Result, len(d.Results)),
		Counts:    counts(&d.Entry),
		Log:       position(d.Log),
	}
	// The list comes from the admissions themselves, which exist only for what was recorded.
	for _, admission := range d.Admitted() {
		a.Admitted = append(a.Admitted, admission.ItemID())
	}
	for i := range d.Results {
		a.Results[i] = result(i, &d.Results[i])
		switch faults := d.Request.Candidates[i].Faults; {
		case details != nil:
			a.Results[i].Detail = explain(&details[i])
		case len(faults) > 0:
			a.Results[i].Detail = &Detail{Faults: faultList(faults)}
		}
	}
	return a
}

func result(position int, r *policy.Result) Result {
	out := Result{Position: position, ID: r.ID, Admit: r.Admit, Reasons: full(r.Reasons)}
	if r.Admit {
		out.Obligations = full(r.Obligations)
	}
	return out
}

func position(p policy.Position) *Log {
	return &Log{Index: p.Index, Leaf: "sha256:" + hex.EncodeToString(p.Leaf[:])}
}

// stamp writes the clock of a decision, which counts whole microseconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// full returns list, never nil.
func full(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Marshal returns the JSON of an answer, a record or a Page, without white space. Objects that
// callers sent along keep their spelling.
func Marshal(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.PreserveRawStrings(true), json.Deterministic(true))
}
