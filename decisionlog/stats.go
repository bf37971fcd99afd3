package decisionlog

import (
	"fmt"
	"math"
	"time"

	"earshot/policy"
)

const (
	// MaxBaseline is how many windows a baseline has at most.
	MaxBaseline = 366

	// statsGroups is how many names, pairs or revisions statistics tell apart. It bounds their memory.
	statsGroups = 20_000

	// FirstSeenLimit is how many new pairs are named; their number is told in any case.
	FirstSeenLimit = 100

	// unusualScore and unusualResults are from where on a rate is called unusual: three standard errors
	// above the baseline, and on enough results for the error to mean something.
	unusualScore   = 3
	unusualResults = 20
)

// StatsQuery asks how decisions came out in a window, against the time before it.
type StatsQuery struct {
	// From and To bound the window; From is included, To is not. Both are required.
	From, To time.Time

	// Baseline is how many windows of the same length, just before, the window is held against; zero
	// compares with nothing.
	Baseline int

	// Tenant narrows both; empty for all tenants.
	Tenant string
}

// DefaultWindow is the length of a window whose start is not stated, DefaultBaseline the number of windows
// it is held against.
const (
	DefaultWindow   = 24 * time.Hour
	DefaultBaseline = 7
)

// DefaultStats asks about the day that ends now, against the week before it.
func DefaultStats(now time.Time) StatsQuery {
	return StatsQuery{From: now.Add(-DefaultWindow), To: now, Baseline: DefaultBaseline}
}

// begin returns the start of the baseline.
func (q *StatsQuery) begin() time.Time {
	return q.From.Add(-time.Duration(q.Baseline) * q.To.Sub(q.From))
}

func (q *StatsQuery) check() error {
	switch {
	case q.From.IsZero():
		return &QueryError{"from", "is required"}
	case q.To.IsZero():
		return &QueryError{"to", "is required"}
	case !q.From.Before(q.To):
		return &QueryError{"to", "is not after from"}
	case q.Baseline < 0 || q.Baseline > MaxBaseline:
		return &QueryError{"baseline", fmt.Sprintf("is %d, give a number from 0 to %d", q.Baseline, MaxBaseline)}
	case q.Baseline > 0 && q.To.Sub(q.From) > math.MaxInt64/(MaxBaseline+1):
		return &QueryError{"baseline", "is for windows of less than nine months; leave it out"}
	default:
		return nil
	}
}

// Stats is how decisions came out in a window.
type Stats struct {
	StatsQuery

	// Window and Baseline are what was counted.
	Window, Baseline Tally

	// Denials are the rates at which results were denied: all, by agent, by channel and by reason, the
	// most unusual first.
	Denials                   Rate
	Agents, Channels, Reasons []Rate

	// Ambiguous is the rate of decisions whose viewers were not certain.
	Ambiguous Rate

	// NewChannels are the agents that had a channel, and NewAudiences those that had a set of viewers,
	// in the window and not in the baseline, the newest first; at most FirstSeenLimit. Without a baseline
	// there are none.
	NewChannels, NewAudiences           []FirstSeen
	NewChannelsCount, NewAudiencesCount int

	// Revisions are the policies that decided in the window, the one that was used last first.
	Revisions []RevisionUse

	// Truncated is set where there were more names than are told apart: then some are missing in what is
	// by agent, channel, pair or revision. The sums are whole.
	Truncated bool
}

// Tally counts what one period has.
type Tally struct {
	// Decisions count those about turns, Handoffs those about hand-offs.
	Decisions, Handoffs int

	// Admitted and Denied count their results.
	Admitted, Denied int

	// Ambiguous counts decisions whose viewers were not certain.
	Ambiguous int

	// Pruned and Damaged count entries that could not be looked into; they count nowhere else.
	Pruned, Damaged int
}

// Rate is how often something happened in the window and in the baseline.
type Rate struct {
	// Name is the agent, the channel or the reason; empty for all.
	Name string

	Window, Baseline Ratio

	// Score is by how many standard errors the window is above the baseline (the test of two proportions);
	// zero without a baseline. Unusual is set from three on where the window has twenty cases.
	Score   float64
	Unusual bool
}

// Ratio is how many of how many.
type Ratio struct {
	Hits, Of int
}

// rate returns r with its score. The error is that of the pooled proportion.
func rate(r Rate) Rate {
	a, b := r.Window, r.Baseline
	if a.Of == 0 || b.Of == 0 {
		return r
	}
	pooled := float64(a.Hits+b.Hits) / float64(a.Of+b.Of)
	deviation := math.Sqrt(pooled * (1 - pooled) * (1/float64(a.Of) + 1/float64(b.Of)))
	if deviation == 0 { // all or none in both
		return r
	}
	r.Score = (float64(a.Hits)/float64(a.Of) - float64(b.Hits)/float64(b.Of)) / deviation
	r.Unusual = r.Score >= unusualScore && a.Of >= unusualResults
	return r
}

// FirstSeen is an agent with a channel or a set of viewers, and the first decision of the window that had
// both.
type FirstSeen struct {
	Agent, Channel string
	Viewers        []string
	At             time.Time
	DecisionID     string
}

// RevisionUse is what one policy decided in the window.
type RevisionUse struct {
	Revision    string
	First, Last time.Time

	Decisions, Handoffs int
	Admitted, Denied    int
	Verdicts            map[policy.Verdict]int
}
