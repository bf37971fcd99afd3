package policytest_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// The names in random questions: so few that they collide all the time.
var (
	people  = []string{"user:ann", "user:ben", "user:cat", "user:dan"}
	robots  = []string{"bot:relay", "bot:clock"}
	agents  = []string{"agent:scribe", "agent:researcher", "agent:clerk"}
	tenants = []string{"acme", "globex", ""}
)

// allSettings are the settings of random questions: the shipped ones first, then others that
// between them change every setting. They are few, since each costs a compilation.
func allSettings() []reading.Settings {
	shipped := reading.Settings{
		Placeholders: []string{
			"unknown", "default", "default_user", "default-user", "anonymous", "none", "null", "undefined", "static-user",
		},
		EvidenceMaxAge: 300 * time.Second,
		ClockSkew:      30 * time.Second,
	}
	withBots := shipped
	withBots.InternalBots = robots
	withBots.Revoked = []string{"user:eve"}
	withBots.InheritFrom = map[string][]string{"agent:scribe": {"agent:researcher"}, "agent:clerk": {}}
	strict := shipped
	strict.Placeholders = []string{"guest"}
	strict.EvidenceMaxAge, strict.ClockSkew = time.Second, 0
	strict.SealRequired = true
	return []reading.Settings{shipped, withBots, strict}
}

// chance is true once in n draws, and shrinks to false.
func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(1, n).Draw(t, label) == n
}

func pick[E any](t *rapid.T, from []E, label string) E {
	return rapid.SampledFrom(from).Draw(t, label)
}

// some draws names in any order, and often one of them twice.
func some(t *rapid.T, least int, from []string, label string) []string {
	if len(from) == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.SampledFrom(from), least, len(from)).Draw(t, label)
}

// instant draws a time around now, the instant itself and its neighbours among them.
func instant(t *rapid.T, now time.Time, label string) time.Time {
	return now.Add(pick(t, []time.Duration{
		time.Hour, 1, 0, -1, -time.Hour, time.Second, -time.Second, 80 * 365 * 24 * time.Hour,
	}, label))
}

// knownViewers draws a question whose viewers are certain, with people among them, and whose
// candidates are anything.
func knownViewers(t *rapid.T) question {
	q := question{Now: now, Settings: allSettings()[pick(t, []int{0, 0, 0, 1, 1, 2}, "settings")]}
	turn := &q.Request.Turn
	*turn = policy.Turn{
		Agent:        pick(t, agents, "agent of the turn"),
		Tenant:       pick(t, tenants, "tenant of the turn"),
		Viewers:      some(t, 1, people, "viewers"),
		ViewersBasis: policy.BasisPlatform,
	}
	if chance(t, 8, "somebody else") {
		turn.Viewers = append(turn.Viewers, "user:eve")
	}
	if chance(t, 4, "external viewers") {
		turn.ExternalViewers = some(t, 1, turn.Viewers, "external viewers")
	}
	if chance(t, 10, "revoked viewers") {
		turn.RevokedViewers = some(t, 1, people, "revoked viewers")
	}
	// A reading of the room, and its roster, may list the bots that do not count.
	inTheRoom := func(label string) []string {
		return slices.Concat(some(t, 0, q.Settings.InternalBots, label), turn.Viewers)
	}
	for range rapid.IntRange(0, 2).Draw(t, "readings") {
		turn.Evidence = append(turn.Evidence, policy.Evidence{
			Viewers: inTheRoom("bots in a reading"), Complete: true, ObservedAt: timely(t, q),
		})
	}
	if chance(t, 3, "roster") {
		q.Facts.Roster = &policy.Roster{Members: distinct(inTheRoom("bots on the roster"))}
		if chance(t, 3, "revoked on the roster") {
			q.Facts.Roster.Revoked = distinct(some(t, 1, people, "revoked on the roster"))
		}
	}
	turn.Viewers = inTheRoom("bots among the viewers")

	q.Request.Inheritance = policy.Inheritance{
		AuthorizedAgents:  some(t, 0, agents, "authorized agents"),
		AllowConfidential: rapid.Bool().Draw(t, "allow confidential"),
		AllowUnattributed: rapid.Bool().Draw(t, "allow unattributed"),
	}
	for position := range rapid.IntRange(1, 5).Draw(t, "candidates") {
		q.Request.Candidates = append(q.Request.Candidates, candidate(t, q))
		if chance(t, 4, "grant") {
			q.Facts.Grants = granted(q.Facts.Grants, position, some(t, 1, people, "granted"))
		}
		if q.Request.Candidates[position].Seal != "" {
			q.Facts.Seals = checked(q.Facts.Seals, position, pick(t, []policy.SealCheck{
				{Differs: "audience"}, {Status: policy.SealValid}, {Status: policy.SealOtherContent},
			}, "seal"))
		}
		if chance(t, 6, "grant to the viewers") {
			q.Facts.Grants = granted(q.Facts.Grants, position, present(q))
		}
	}
	nameThings(t, &q)
	return q
}

// timely draws the time of a reading that is neither stale nor in the future.
func timely(t *rapid.T, q question) time.Time {
	return pick(t, []time.Time{
		{}, q.Now, q.Now.Add(-q.Settings.EvidenceMaxAge), q.Now.Add(q.Settings.ClockSkew),
	}, "observed at")
}

// anyQuestion draws a question whose viewers may be in doubt for several reasons at once.
func anyQuestion(t *rapid.T) question {
	q := knownViewers(t)
	if rapid.Bool().Draw(t, "in doubt") {
		for range rapid.IntRange(1, 3).Draw(t, "doubts") {
			pick(t, doubts, "doubt").cast(t, &q)
		}
	}
	return q
}

func granted(grants map[int][]string, position int, viewers []string) map[int][]string {
	if grants == nil {
		grants = map[int][]string{}
	}
	grants[position] = distinct(viewers)
	return grants
}

// checked notes what came of the seal of the candidate at a position.
func checked(checks map[int]policy.SealCheck, position int, check policy.SealCheck) map[int]policy.SealCheck {
	if checks == nil {
		checks = map[int]policy.SealCheck{}
	}
	checks[position] = check
	return checks
}

// present returns the viewers who count, as the registry would write them.
func present(q question) []string {
	return slices.DeleteFunc(distinct(q.Request.Turn.Viewers), func(name string) bool {
		return slices.Contains(q.Settings.InternalBots, name)
	})
}

func distinct(names []string) []string {
	set := append([]string{}, names...)
	slices.Sort(set)
	return slices.Compact(set)
}

// TestQuestionsReachEveryCode counts the codes of the contract in the answers to a thousand questions.
// A law that never meets a rule says nothing about it.
func TestQuestionsReachEveryCode(t *testing.T) {
	counts := map[string]int{}
	questions := rapid.Custom(anyQuestion)
	for seed := range 1000 {
		answer, err := questions.Example(seed).decide(t.Context(), policytest.Plain)
		if err != nil {
			t.Fatal(err)
		}
		counts[string(answer.Verdict)]++
		for _, code := range answer.Viewers.Reasons {
			counts[code]++
		}
		for _, result := range answer.Results {
			for _, code := range slices.Concat(result.Reasons, result.Obligations) {
				counts[code]++
			}
		}
	}
	want := slices.Concat(slices.Concat(slices.Collect(maps.Values(contractCodes))...), []string{
		string(policy.IsolatedContext), string(policy.AuthorizedSharing), string(policy.BleedDetected), string(policy.UnattributedContext),
	})
	const least = 5
	for _, code := range want {
		if counts[code] < least {
			t.Errorf("%d answers say %s, want at least %d", counts[code], code, least)
		}
	}
}
