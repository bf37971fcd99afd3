package reading

import (
	"time"

	"earshot/policy"
)

// forbids are the rules that hold a well-formed candidate back, by code, besides formForbids.
var forbids = map[string]func(matter) bool{
	"viewers_ambiguous":             viewersAmbiguous,
	"viewer_not_in_audience":        viewerNotInAudience,
	"source_audience_narrower":      sourceAudienceNarrower,
	"audience_missing":              audienceMissing,
	"audience_not_recorded":         audienceNotRecorded,
	"external_viewer":               externalViewer,
	"revoked":                       revoked,
	"derived_without_sources":       derivedWithoutSources,
	"item_not_live":                 itemNotLive,
	"source_not_live":               sourceNotLive,
	"expired":                       expired,
	"tenant_mismatch":               tenantMismatch,
	"unattributed":                  unattributed,
	"confidential_from_other_agent": confidentialFromOtherAgent,
	"unshared_from_other_agent":     unsharedFromOtherAgent,
	"agent_not_authorized":          agentNotAuthorized,
	"foreign_directive":             foreignDirective,
	"seal_invalid":                  sealInvalid,
	"seal_required":                 sealRequired,
	"digest_mismatch":               digestMismatch,
}

func viewersAmbiguous(m matter) bool { return !m.known && !public(m) }

func viewerNotInAudience(m matter) bool {
	return m.known && m.leavesOut(m.candidate.Audience) && !granted(m)
}

func sourceAudienceNarrower(m matter) bool {
	if !m.known || !m.declaredWouldDo() || granted(m) {
		return false
	}
	for _, source := range everySource(m.candidate.Sources) {
		if inherits(source.Audience, source.Sources) {
			continue
		}
		if levelOf(source.Audience) == nobody || m.leavesOut(source.Audience) {
			return true
		}
	}
	return false
}

// declaredWouldDo reports whether the declared audience by itself has room for who is present.
func (m matter) declaredWouldDo() bool {
	if inherits(m.candidate.Audience, m.candidate.Sources) {
		return true
	}
	switch levelOf(m.candidate.Audience) {
	case everybody:
		return true
	case wholeTenant:
		return len(m.turn.ExternalViewers) == 0
	case listed:
		return !m.leavesOut(m.candidate.Audience)
	default:
		return false
	}
}

func audienceMissing(m matter) bool {
	return !inherits(m.candidate.Audience, m.candidate.Sources) && levelOf(m.candidate.Audience) == nobody
}

func audienceNotRecorded(m matter) bool { return m.candidate.AudienceBasis != policy.BasisRecorded }

func externalViewer(m matter) bool {
	if !m.known || len(m.turn.ExternalViewers) == 0 || public(m) {
		return false
	}
	for _, bound := range bounds(m.candidate) {
		if levelOf(bound) == wholeTenant {
			return true
		}
	}
	return false
}

// revoked counts in doubt as well: a list that is uncertain still names who is on it.
func revoked(m matter) bool {
	withdrawn := [][]string{m.turn.RevokedViewers, m.settings.Revoked}
	if m.roster != nil {
		withdrawn = append(withdrawn, m.roster.Revoked)
	}
	for _, names := range withdrawn {
		for _, name := range names {
			if m.present[name] && !public(m) {
				return true
			}
		}
	}
	return false
}

func derivedWithoutSources(m matter) bool {
	switch m.candidate.Kind {
	case "summary", "node", "edge":
		return len(m.candidate.Sources) == 0
	}
	return false
}

func itemNotLive(m matter) bool { return m.candidate.State != policy.StateLive }

func sourceNotLive(m matter) bool {
	for _, source := range everySource(m.candidate.Sources) {
		if source.State != policy.StateLive || m.past(source.ExpiresAt) {
			return true
		}
	}
	return false
}

func expired(m matter) bool { return m.past(m.candidate.ExpiresAt) }

// past reports whether an instant is now or past. The zero instant is one that was not stated.
func (m matter) past(at time.Time) bool { return !at.Equal(time.Time{}) && !at.After(m.now) }

func tenantMismatch(m matter) bool {
	for _, source := range everySource(m.candidate.Sources) {
		if source.Tenant != "" && source.Tenant != m.turn.Tenant {
			return true
		}
	}
	if m.candidate.Tenant == "" && public(m) {
		return false
	}
	return m.candidate.Tenant != m.turn.Tenant
}

// sealInvalid: a seal of which nothing good is known is invalid.
func sealInvalid(m matter) bool {
	return m.candidate.Seal != "" && m.seal != policy.SealValid && m.seal != policy.SealOtherContent
}

func digestMismatch(m matter) bool {
	return m.candidate.Seal != "" && m.seal == policy.SealOtherContent
}

func sealRequired(m matter) bool { return m.settings.SealRequired && m.candidate.Seal == "" }
