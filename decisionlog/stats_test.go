package decisionlog_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// at returns an entry of a minute, with a result for each of the verdicts on the items.
func at(i, minute int, agent, channel string, viewers []string, admits ...bool) *policy.Entry {
	e := numbered(i, 0)
	e.At = start.Add(time.Duration(minute) * time.Minute)
	e.Request.Turn.Agent, e.Request.Turn.Channel, e.Request.Turn.Viewers = agent, channel, viewers
	for _, admit := range admits {
		e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{ID: "m1", State: policy.StateLive})
		r := policy.Result{ID: "m1", Admit: admit, Reasons: []string{"public"}}
		if !admit {
			r.Reasons = []string{"revoked"}
		}
		e.Results = append(e.Results, r)
	}
	return e
}

// minutes returns the statistics of minutes 60 to 70, against the half hour before.
func minutes(t *testing.T, l *decisionlog.Log) *decisionlog.Stats {
	t.Helper()
	s, err := l.Stats(t.Context(), decisionlog.StatsQuery{
		From: start.Add(60 * time.Minute), To: start.Add(70 * time.Minute), Baseline: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStats(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	ann, both := []string{"user:ann"}, []string{"user:ann", "user:ben"}
	ambiguous := at(5, 61, "agent:clerk", "c2", both, false, false)
	ambiguous.Viewers = policy.Viewers{Reasons: []string{"viewers_missing"}}
	ambiguous.Verdict, ambiguous.PolicyRevision = policy.BleedDetected, "sha256:8"
	for _, e := range []*policy.Entry{
		at(0, 29, "agent:ghost", "c1", ann, false),         // before the baseline
		at(1, 30, "agent:scribe", "c1", ann, true, true),   // its first
		at(2, 59, "agent:clerk", "c1", ann, true, false),   // its last
		at(3, 60, "agent:scribe", "c1", both, true, false), // the first of the window
		at(4, 60, "agent:scribe", "c1", both, true),
		ambiguous,
		at(6, 70, "agent:ghost", "c1", ann, false), // behind the window
	} {
		record(t, l, e)
	}
	handoff := handedOff(7)
	handoff.At = start.Add(62 * time.Minute)
	recordHandoff(t, l, handoff)

	got := minutes(t, l)
	if diff := cmp.Diff(decisionlog.Tally{Decisions: 3, Handoffs: 1, Admitted: 3, Denied: 3, Ambiguous: 1}, got.Window); diff != "" {
		t.Errorf("window (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(decisionlog.Tally{Decisions: 2, Admitted: 3, Denied: 1}, got.Baseline); diff != "" {
		t.Errorf("baseline (-want +got):\n%s", diff)
	}
	rates := map[string][2]decisionlog.Ratio{}
	for kind, list := range map[string][]decisionlog.Rate{"agent ": got.Agents, "channel ": got.Channels, "reason ": got.Reasons} {
		for _, r := range list {
			rates[kind+r.Name] = [2]decisionlog.Ratio{r.Window, r.Baseline}
		}
	}
	if diff := cmp.Diff(map[string][2]decisionlog.Ratio{
		"agent agent:scribe":  {{1, 3}, {0, 2}},
		"agent agent:clerk":   {{2, 2}, {1, 2}},
		"agent agent:billing": {{0, 1}, {}},
		"channel c1":          {{1, 3}, {1, 4}},
		"channel c2":          {{2, 2}, {}},
		"reason revoked":      {{3, 6}, {1, 4}},
	}, rates); diff != "" {
		t.Errorf("rates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]decisionlog.FirstSeen{{Agent: "agent:clerk", Channel: "c2", At: ambiguous.At, DecisionID: ambiguous.ID}}, got.NewChannels); diff != "" {
		t.Errorf("new channels (-want +got):\n%s", diff)
	}
	if len(got.NewAudiences) != 2 || got.NewAudiencesCount != 2 || got.NewAudiences[1].DecisionID != numbered(3, 0).ID {
		t.Errorf("new audiences %+v", got.NewAudiences)
	}
	if diff := cmp.Diff([]decisionlog.RevisionUse{
		{
			Revision: numbered(0, 0).PolicyRevision, First: start.Add(60 * time.Minute), Last: handoff.At,
			Decisions: 2, Handoffs: 1, Admitted: 3, Denied: 1,
			Verdicts: map[policy.Verdict]int{policy.IsolatedContext: 2, policy.AuthorizedSharing: 1},
		},
		{
			Revision: "sha256:8", First: ambiguous.At, Last: ambiguous.At, Decisions: 1, Denied: 2,
			Verdicts: map[policy.Verdict]int{policy.BleedDetected: 1},
		},
	}, got.Revisions); diff != "" {
		t.Errorf("revisions (-want +got):\n%s", diff)
	}
}

func TestStatsTellWhatIsUnusual(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	usual := []bool{true, true, true, false}
	for i := range 30 {
		record(t, l, at(2*i, 30+i, "agent:scribe", "c1", nil, usual...))
		record(t, l, at(2*i+1, 30+i, "agent:clerk", "c1", nil, usual...))
	}
	for i := range 10 {
		record(t, l, at(100+2*i, 60+i, "agent:scribe", "c1", nil, usual...))
		record(t, l, at(101+2*i, 60+i, "agent:clerk", "c1", nil, false, false, false, true))
	}
	got := minutes(t, l).Agents
	if len(got) != 2 || got[0].Name != "agent:clerk" || !got[0].Unusual || got[1].Unusual || got[1].Score != 0 {
		t.Errorf("agents %+v, want the clerk alone to be unusual", got)
	}
}

// A clock that steps back puts the baseline behind the window.
func TestStatsGoByTheClock(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, at(0, 65, "agent:scribe", "c1", nil, true))
	record(t, l, at(1, 35, "agent:scribe", "c1", nil, true))
	got := minutes(t, l)
	if got.Window.Decisions != 1 || got.Baseline.Decisions != 1 || got.NewChannelsCount != 0 {
		t.Errorf("%+v", got)
	}
}

func TestStatsCountWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 3 {
		record(t, l, at(i, 60, "agent:scribe", "c1", nil, true))
	}
	minutes(t, l) // which fills the index
	tamper(t, dir, `UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1`)
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL WHERE seq = 2`)
	if diff := cmp.Diff(decisionlog.Tally{Decisions: 1, Admitted: 1, Pruned: 1, Damaged: 1}, minutes(t, l).Window); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStatsRefuseWhatMakesNoSense(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	day := start.Add(24 * time.Hour)
	for parameter, q := range map[string]decisionlog.StatsQuery{
		"from":     {To: day},
		"to":       {From: start, To: start},
		"baseline": {From: start, To: day, Baseline: decisionlog.MaxBaseline + 1},
	} {
		_, err := l.Stats(t.Context(), q)
		if wrong, ok := errors.AsType[*decisionlog.QueryError](err); !ok || wrong.Parameter != parameter {
			t.Errorf("%+v: %v, want an error about %s", q, err, parameter)
		}
	}
	if _, err := l.Stats(t.Context(), decisionlog.StatsQuery{From: start, To: start.AddDate(1, 0, 0), Baseline: 1}); !errors.Is(err, decisionlog.ErrInvalidQuery) {
		t.Errorf("a baseline beyond what can be counted: %v", err)
	}
}
