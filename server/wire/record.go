package wire

import (
	"maps"
	"slices"

	"earshot/decisionlog"
	"earshot/policy"
)

// Record is one logged decision whole. Turn, inheritance and candidates have the form of a request,
// in which every candidate carries its result; the rest has the form of an answer.
type Record struct {
	DecisionID     string         `json:"decision_id"`
	DecidedAt      string         `json:"decided_at"` // RFC 3339 in UTC, in microseconds
	PolicyRevision string         `json:"policy_revision"`
	RequestedBy    string         `json:"requested_by,omitzero"` // the credential's name
	Turn           Turn           `json:"turn"`
	Inheritance    Inheritance    `json:"inheritance"`
	Roster         *Roster        `json:"roster,omitzero"` // where this service kept the channel's
	Grants         []Grant        `json:"grants,omitzero"` // that this service held for a candidate
	Seals          []SealCheck    `json:"seals,omitzero"`  // what came of verifying those of the candidates
	Viewers        Viewers        `json:"viewers"`
	Verdict        policy.Verdict `json:"verdict"`
	Directive      string         `json:"directive"`
	Candidates     []Candidate    `json:"candidates"`
	Counts         Counts         `json:"counts"`
	Log            *Log           `json:"log"`
}

// Roster is who was on record for the channel of the turn.
type Roster struct {
	Members []string `json:"members"`
	Revoked []string `json:"revoked"`
}

// Grant is a viewer set that the item at a position was granted to.
type Grant struct {
	Position int      `json:"position"`
	Viewers  []string `json:"viewers"`
}

// SealCheck is what came of verifying the seal of the candidate at a position.
type SealCheck struct {
	Position int    `json:"position"`
	Status   string `json:"status"`           // valid, invalid or other_content
	Differs  string `json:"differs,omitzero"` // what made it invalid, in the form of Detail.SealDiffers
}

// Line is one logged decision in a list: a Summary, a HandoffSummary or a Damaged.
type Line interface{ line() }

// Summary is one logged decision in a list.
type Summary struct {
	DecisionID     string         `json:"decision_id"`
	DecidedAt      string         `json:"decided_at"`
	PolicyRevision string         `json:"policy_revision"`
	RequestedBy    string         `json:"requested_by,omitzero"`
	Tenant         string         `json:"tenant"`
	Channel        string         `json:"channel"`
	Agent          string         `json:"agent"`
	TurnID         string         `json:"turn_id"`
	Attempt        int            `json:"attempt"`
	Viewers        Viewers        `json:"viewers"`
	Verdict        policy.Verdict `json:"verdict"`
	Counts         Counts         `json:"counts"`
	Log            *Log           `json:"log"`
}

func (Summary) line() {}

// Damaged is a logged decision that cannot be read, or not whole, with what is known of it.
type Damaged struct {
	Damaged        bool       `json:"damaged"` // always true
	DecisionID     string     `json:"decision_id,omitzero"`
	DecidedAt      string     `json:"decided_at,omitzero"`
	PolicyRevision string     `json:"policy_revision,omitzero"`
	Log            DamagedLog `json:"log"`
}

func (Damaged) line() {}

// DamagedLog is where a damaged decision is in the log.
type DamagedLog struct {
	Index uint64 `json:"index"`
	Leaf  string `json:"leaf,omitzero"` // empty where the leaf cannot be read
}

// Page is a part of a list of decisions, newest first.
type Page struct {
	Decisions []Line `json:"decisions"`

	// NextCursor asks for the next page; null on the last one.
	NextCursor *string `json:"next_cursor"`
}

// EncodeRecord returns the record of e, which the log holds at p.
func EncodeRecord(e *policy.Entry, p policy.Position) Record {
	request := EncodeRequest(&e.Request)
	for i := range e.Results {
		r := result(i, &e.Results[i])
		request.Candidates[i].Result = &r
	}
	record := Record{
		DecisionID:     e.ID,
		DecidedAt:      stamp(e.At),
		PolicyRevision: e.PolicyRevision,
		RequestedBy:    e.Request.RequestedBy,
		Turn:           request.Turn,
		Inheritance:    request.Inheritance,
		Viewers:        present(&e.Viewers),
		Verdict:        e.Verdict,
		Directive:      e.Directive,
		Candidates:     request.Candidates,
		Counts:         counts(e),
		Log:            position(p),
	}
	record.Viewers.Digest = e.Viewers.Digest
	if roster := e.Facts.Roster; roster != nil {
		record.Roster = &Roster{Members: full(roster.Members), Revoked: full(roster.Revoked)}
	}
	for _, i := range slices.Sorted(maps.Keys(e.Facts.Grants)) {
		record.Grants = append(record.Grants, Grant{Position: i, Viewers: full(e.Facts.Grants[i])})
	}
	for _, i := range slices.Sorted(maps.Keys(e.Facts.Seals)) {
		check := e.Facts.Seals[i]
		record.Seals = append(record.Seals, SealCheck{Position: i, Status: check.Status.String(), Differs: check.Differs})
	}
	return record
}

// EncodePage returns the answer for a page. Of what retention has emptied nothing is left to list.
func EncodePage(page *decisionlog.Page) Page {
	out := Page{Decisions: []Line{}, NextCursor: cursor(page.Next)}
	for i := range page.Summaries {
		if s := &page.Summaries[i]; !s.Pruned || s.Damage != nil {
			out.Decisions = append(out.Decisions, EncodeSummary(s))
		}
	}
	return out
}

// EncodeSummary returns the line of a list for s.
func EncodeSummary(s *decisionlog.Summary) Line {
	if s.Damage != nil {
		return encodeDamaged(s)
	}
	if s.Handoff {
		return encodeHandoffSummary(s)
	}
	return Summary{
		DecisionID:     s.ID,
		DecidedAt:      stamp(s.At),
		PolicyRevision: s.PolicyRevision,
		RequestedBy:    s.RequestedBy,
		Tenant:         s.Tenant,
		Channel:        s.Channel,
		Agent:          s.Agent,
		TurnID:         s.TurnID,
		Attempt:        s.Attempt,
		Viewers:        present(&s.Viewers),
		Verdict:        s.Verdict,
		Counts:         Counts{Admitted: s.Admitted, Denied: s.Denied},
		Log:            position(s.Log),
	}
}

// encodeDamaged names no person: it may go to a caller of any tenant.
func encodeDamaged(s *decisionlog.Summary) Damaged {
	out := Damaged{Damaged: true, Log: DamagedLog{Index: s.Log.Index}}
	if s.ID != "" {
		out.DecisionID, out.DecidedAt, out.PolicyRevision = s.ID, stamp(s.At), s.PolicyRevision
		out.Log.Leaf = position(s.Log).Leaf
	}
	return out
}

func present(v *policy.Viewers) Viewers {
	return Viewers{Status: v.Status(), Reasons: full(v.Reasons), Present: full(v.Present)}
}

func counts(e *policy.Entry) Counts {
	admitted, denied := e.Counts()
	return Counts{Admitted: admitted, Denied: denied}
}
