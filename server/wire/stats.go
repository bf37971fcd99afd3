package wire

import (
	"earshot/decisionlog"
	"earshot/policy"
)

// Stats is how decisions came out in a window, against the time before it.
type Stats struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Baseline int     `json:"baseline"` // windows
	Tenant   string  `json:"tenant,omitzero"`
	Window   Tally   `json:"window"`
	Before   Tally   `json:"before"`
	Denials  Denials `json:"denials"`

	Ambiguous Rate `json:"ambiguous"`

	NewChannels  NewPairs      `json:"new_channels"`
	NewAudiences NewPairs      `json:"new_audiences"`
	Revisions    []RevisionUse `json:"revisions"`
	Truncated    bool          `json:"truncated"`
}

// Tally counts what one period has.
type Tally struct {
	Decisions int `json:"decisions"`
	Handoffs  int `json:"handoffs"`
	Admitted  int `json:"admitted"`
	Denied    int `json:"denied"`
	Ambiguous int `json:"ambiguous"`
	Pruned    int `json:"pruned"`
	Damaged   int `json:"damaged"`
}

// Denials are the rates at which results were denied, the most unusual first.
type Denials struct {
	All      Rate   `json:"all"`
	Agents   []Rate `json:"agents"`
	Channels []Rate `json:"channels"`
	Reasons  []Rate `json:"reasons"`
}

// Rate is how often something happened in the window and before.
type Rate struct {
	Name    string  `json:"name,omitzero"`
	Window  Ratio   `json:"window"`
	Before  Ratio   `json:"before"`
	Score   float64 `json:"score"` // standard errors above the baseline
	Unusual bool    `json:"unusual"`
}

// Ratio is how many of how many.
type Ratio struct {
	Hits int `json:"hits"`
	Of   int `json:"of"`
}

// NewPairs are pairs that the window has and the baseline has not.
type NewPairs struct {
	Count int         `json:"count"`
	First []FirstSeen `json:"first"` // the newest of them
}

// FirstSeen is an agent with a channel or a set of viewers.
type FirstSeen struct {
	Agent      string   `json:"agent"`
	Channel    string   `json:"channel,omitzero"`
	Viewers    []string `json:"viewers,omitzero"`
	DecidedAt  string   `json:"decided_at"`
	DecisionID string   `json:"decision_id"`
}

// RevisionUse is what one policy decided in the window.
type RevisionUse struct {
	PolicyRevision string                 `json:"policy_revision"`
	First          string                 `json:"first"`
	Last           string                 `json:"last"`
	Decisions      int                    `json:"decisions"`
	Handoffs       int                    `json:"handoffs"`
	Counts         Counts                 `json:"counts"`
	Verdicts       map[policy.Verdict]int `json:"verdicts"`
}

// EncodeStats returns the answer for s.
func EncodeStats(s *decisionlog.Stats) Stats {
	out := Stats{
		From: instantText(s.From), To: instantText(s.To), Baseline: s.StatsQuery.Baseline, Tenant: s.Tenant,
		Window: Tally(s.Window), Before: Tally(s.Baseline),
		Denials: Denials{
			All: encodeRate(s.Denials), Agents: encodeRates(s.Agents), Channels: encodeRates(s.Channels), Reasons: encodeRates(s.Reasons),
		},
		Ambiguous:    encodeRate(s.Ambiguous),
		NewChannels:  NewPairs{Count: s.NewChannelsCount, First: encodeFirsts(s.NewChannels)},
		NewAudiences: NewPairs{Count: s.NewAudiencesCount, First: encodeFirsts(s.NewAudiences)},
		Revisions:    make([]RevisionUse, len(s.Revisions)),
		Truncated:    s.Truncated,
	}
	for i, r := range s.Revisions {
		out.Revisions[i] = RevisionUse{
			PolicyRevision: r.Revision, First: stamp(r.First), Last: stamp(r.Last), Decisions: r.Decisions, Handoffs: r.Handoffs,
			Counts: Counts{Admitted: r.Admitted, Denied: r.Denied}, Verdicts: r.Verdicts,
		}
	}
	return out
}

func encodeRate(r decisionlog.Rate) Rate {
	return Rate{Name: r.Name, Window: Ratio(r.Window), Before: Ratio(r.Baseline), Score: r.Score, Unusual: r.Unusual}
}

func encodeRates(list []decisionlog.Rate) []Rate {
	out := make([]Rate, len(list))
	for i, r := range list {
		out[i] = encodeRate(r)
	}
	return out
}

func encodeFirsts(list []decisionlog.FirstSeen) []FirstSeen {
	out := make([]FirstSeen, len(list))
	for i, f := range list {
		out[i] = FirstSeen{Agent: f.Agent, Channel: f.Channel, Viewers: f.Viewers, DecidedAt: stamp(f.At), DecisionID: f.DecisionID}
	}
	return out
}

// ReadStatsFilter sets the parameter of this name in q, as ReadFilter does.
func ReadStatsFilter(q *decisionlog.StatsQuery, name, value string) (err error) {
	switch name {
	case "from":
		q.From, err = ParseInstant(value)
	case "to":
		q.To, err = ParseInstant(value)
	case "tenant":
		q.Tenant, err = value, policy.CheckLabel(value)
	case "baseline":
		q.Baseline, err = readCount(value)
	default:
		err = ErrUnknownFilter
	}
	return err
}
