package reading

import (
	"maps"
	"strings"
	"time"

	"earshot/policy"
)

// ambiguities are the codes that make the viewer set ambiguous.
var ambiguities = map[string]func(matter) bool{
	"viewers_missing":           viewersMissing,
	"viewers_empty":             viewersEmpty,
	"viewer_placeholder":        viewerPlaceholder,
	"viewers_not_authenticated": viewersNotAuthenticated,
	"evidence_disagrees":        evidenceDisagrees,
	"evidence_incomplete":       evidenceIncomplete,
	"evidence_stale":            evidenceStale,
	"external_not_viewer":       externalNotViewer,
	"roster_disagrees":          rosterDisagrees,
}

func (m matter) doubts() set { return holding(m, ambiguities) }

// withoutBots returns the names that count as viewers.
func withoutBots(s Settings, names []string) set {
	people := setOf(names)
	for _, bot := range s.InternalBots {
		delete(people, bot)
	}
	return people
}

func stated(t policy.Turn) bool { return t.Viewers != nil }

func viewersMissing(m matter) bool { return !stated(m.turn) }

func viewersEmpty(m matter) bool { return stated(m.turn) && len(m.present) == 0 }

// viewerPlaceholder looks at every name that was stated: a bot is no excuse for a name that
// identifies nobody.
func viewerPlaceholder(m matter) bool {
	placeholders := setOf(m.settings.Placeholders)
	for _, name := range m.turn.Viewers {
		if placeholders[strings.TrimPrefix(strings.ToLower(name), "user:")] {
			return true
		}
	}
	return false
}

func viewersNotAuthenticated(m matter) bool { return m.turn.ViewersBasis != policy.BasisPlatform }

func evidenceDisagrees(m matter) bool {
	for i, reading := range m.turn.Evidence {
		people := withoutBots(m.settings, reading.Viewers)
		if stated(m.turn) && !maps.Equal(people, m.present) {
			return true
		}
		for _, other := range m.turn.Evidence[:i] {
			if !maps.Equal(people, withoutBots(m.settings, other.Viewers)) {
				return true
			}
		}
	}
	return false
}

func evidenceIncomplete(m matter) bool {
	for _, reading := range m.turn.Evidence {
		if !reading.Complete {
			return true
		}
	}
	return false
}

// evidenceStale takes a reading without a time as made for this request.
func evidenceStale(m matter) bool {
	for _, reading := range m.turn.Evidence {
		at := reading.ObservedAt
		if at.Equal(time.Time{}) {
			continue
		}
		oldest, latest := m.now.Add(-m.settings.EvidenceMaxAge), m.now.Add(m.settings.ClockSkew)
		if at.Before(oldest) || at.After(latest) {
			return true
		}
	}
	return false
}

func externalNotViewer(m matter) bool {
	for _, name := range m.turn.ExternalViewers {
		if !m.present[name] {
			return true
		}
	}
	return false
}

func rosterDisagrees(m matter) bool {
	return stated(m.turn) && m.roster != nil && !maps.Equal(withoutBots(m.settings, m.roster.Members), m.present)
}
