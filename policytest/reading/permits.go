package reading

import "maps"

// permits are the rules that let a candidate in, by code.
var permits = map[string]func(matter) bool{
	"public":                  public,
	"tenant_wide":             tenantWide,
	"audience_covers_viewers": audienceCoversViewers,
	"granted":                 granted,
}

func public(m matter) bool { return m.effective.level == everybody }

func tenantWide(m matter) bool {
	return m.effective.level == wholeTenant && m.known && len(m.turn.ExternalViewers) == 0
}

func audienceCoversViewers(m matter) bool {
	if m.effective.level != listed || !m.known {
		return false
	}
	for name := range m.present {
		if !m.effective.names[name] {
			return false
		}
	}
	return true
}

// granted needs known viewers: a set that is in doubt is not exactly any set.
func granted(m matter) bool {
	return m.known && len(m.grant) > 0 && maps.Equal(m.grant, m.present)
}
