package policytest_test

import (
	"time"

	"pgregory.net/rapid"

	"earshot/policy"
)

// doubts are the ways in which a turn's viewers become ambiguous. After cast the code holds,
// whatever else does; a later doubt may undo an earlier one.
var doubts = []struct {
	code string
	cast func(*rapid.T, *question)
}{
	{"viewers_missing", func(_ *rapid.T, q *question) { q.Request.Turn.Viewers = nil }},
	{"viewers_empty", func(t *rapid.T, q *question) {
		q.Request.Turn.Viewers = append([]string{}, some(t, 0, q.Settings.InternalBots, "bots")...)
	}},
	{"viewer_placeholder", func(t *rapid.T, q *question) {
		name := pick(t, q.Settings.Placeholders, "placeholder")
		name = pick(t, []string{name, "user:" + name, "User:" + name, "user:" + title(name)}, "spelling")
		q.Request.Turn.Viewers = append(q.Request.Turn.Viewers, name)
	}},
	{"viewers_not_authenticated", func(t *rapid.T, q *question) {
		q.Request.Turn.ViewersBasis = pick(t, []string{"guessed", "model", "Platform", ""}, "basis")
	}},
	{"evidence_disagrees", func(t *rapid.T, q *question) {
		other := []string{"user:joe"}
		if rapid.Bool().Draw(t, "somebody more") {
			other = append(other, present(*q)...)
		}
		addReading(q, policy.Evidence{Viewers: present(*q), Complete: true})
		addReading(q, policy.Evidence{Viewers: other, Complete: true})
	}},
	{"evidence_incomplete", func(_ *rapid.T, q *question) { addReading(q, policy.Evidence{Viewers: present(*q)}) }},
	{"evidence_stale", func(t *rapid.T, q *question) {
		at := pick(t, []time.Time{
			q.Now.Add(-q.Settings.EvidenceMaxAge - 1), q.Now.Add(q.Settings.ClockSkew + 1), q.Now.Add(-365 * 24 * time.Hour),
			time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC),
		}, "observed at")
		addReading(q, policy.Evidence{Viewers: present(*q), Complete: true, ObservedAt: at})
	}},
	{"external_not_viewer", func(t *rapid.T, q *question) {
		absent := append([]string{"user:joe"}, q.Settings.InternalBots...)
		q.Request.Turn.ExternalViewers = append(q.Request.Turn.ExternalViewers, pick(t, absent, "external"))
	}},
	{"roster_disagrees", func(t *rapid.T, q *question) {
		if q.Request.Turn.Viewers == nil {
			q.Request.Turn.Viewers = []string{"user:ann"}
		}
		members := append(present(*q), "user:joe")
		if len(present(*q)) > 0 && rapid.Bool().Draw(t, "somebody less") {
			members = present(*q)[1:]
		}
		q.Facts.Roster = &policy.Roster{Members: distinct(members)}
	}},
}

func addReading(q *question, reading policy.Evidence) {
	q.Request.Turn.Evidence = append(q.Request.Turn.Evidence, reading)
}

// title returns an ASCII name with a capital first letter.
func title(name string) string { return string(name[0]-'a'+'A') + name[1:] }
