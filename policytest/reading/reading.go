package reading

import (
	"maps"
	"slices"
	"time"

	"earshot/policy"
)

// Settings are the settings of a policy that its authors may change, by their names in
// earshot/settings/data.json.
type Settings struct {
	Placeholders   []string
	EvidenceMaxAge time.Duration // in whole seconds
	ClockSkew      time.Duration // in whole seconds
	InternalBots   []string
	Revoked        []string

	// InheritFrom has the agents that an agent may inherit from. An agent without an entry is not
	// limited by it.
	InheritFrom map[string][]string

	SealRequired bool
}

// Answer is what the contract says about one request.
type Answer struct {
	// Viewers has no Digest: it identifies the set and decides nothing.
	Viewers policy.Viewers

	// Results has one element for each candidate, in order.
	Results []policy.Result

	Verdict   policy.Verdict
	Directive string
}

// set is a set of names or of codes.
type set map[string]bool

func setOf(names []string) set {
	s := set{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

func (s set) sorted() []string { return slices.Sorted(maps.Keys(s)) }

// matter is one candidate before one turn, with all that its rules may look at.
type matter struct {
	now         time.Time
	settings    Settings
	turn        policy.Turn
	inheritance policy.Inheritance
	roster      *policy.Roster

	present set  // the viewers who count
	known   bool // whether it is certain that these are all

	candidate policy.Candidate
	grant     set // empty where there is none
	seal      policy.SealStatus
	effective effective
}

// Decide answers req as the contract does. The turn must have the form that the contract asks for:
// another one is refused and has no answer. Now is the instant of the decision.
func Decide(now time.Time, s Settings, facts policy.Facts, req policy.Request) Answer {
	m := matter{
		now:         now,
		settings:    s,
		turn:        req.Turn,
		inheritance: req.Inheritance,
		roster:      facts.Roster,
		present:     withoutBots(s, req.Turn.Viewers),
	}
	doubts := m.doubts()
	m.known = len(doubts) == 0

	answer := Answer{
		Viewers: policy.Viewers{Known: m.known, Reasons: doubts.sorted(), Present: m.present.sorted()},
	}
	for position, candidate := range req.Candidates {
		m.candidate = candidate
		m.grant = setOf(facts.Grants[position])
		m.seal = facts.Seals[position].Status
		m.effective = effectiveAudience(candidate)
		answer.Results = append(answer.Results, m.result())
	}
	answer.Verdict, answer.Directive = verdict(req, answer.Results)
	return answer
}

// result decides the candidate: at least one permit and no forbid.
func (m matter) result() policy.Result {
	result := policy.Result{ID: m.candidate.ID}
	if len(result.ID) > longestID {
		result.ID = "" // A name that is too long is not repeated.
	}
	form := holding(m, formForbids)
	if malformed(m.candidate) {
		// No label of a malformed candidate can be believed, so only its form is judged.
		result.Reasons = form.sorted()
		return result
	}
	permits, forbids := holding(m, permits), holding(m, forbids)
	maps.Copy(forbids, form)
	result.Admit = len(permits) > 0 && len(forbids) == 0
	if !result.Admit {
		result.Reasons = forbids.sorted()
		return result
	}
	result.Reasons = permits.sorted()
	if m.fromAnotherAgent() {
		result.Obligations = []string{"label_source"}
	}
	return result
}

// holding returns the codes of the rules that hold.
func holding(m matter, rules map[string]func(matter) bool) set {
	codes := set{}
	for code, holds := range rules {
		if holds(m) {
			codes[code] = true
		}
	}
	return codes
}
