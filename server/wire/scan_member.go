package wire

// member is a set of member names of the contract, in all objects together.
type member uint64

// The members. An object refuses those of the others.
const (
	memberAgent member = 1 << iota
	memberAttempt
	memberAttributes
	memberAudience
	memberAudienceBasis
	memberAuthorizedAgents
	memberCandidates
	memberChannel
	memberComplete
	memberConfidential
	memberDigest
	memberEvidence
	memberExpiresAt
	memberExternalViewers
	memberID
	memberInheritance
	memberKind
	memberObservedAt
	memberProhibitConfidential
	memberRecordedAt
	memberRequireAttribution
	memberRevokedViewers
	memberSeal
	memberShared
	memberSource
	memberSources
	memberState
	memberStore
	memberTenant
	memberTurn
	memberViewers
	memberViewersBasis
)

// members is how many there are.
const members = 32

// memberOf returns the member called name; zero where the contract has none.
func memberOf(name []byte) member {
	switch string(name) {
	case "agent":
		return memberAgent
	case "attempt":
		return memberAttempt
	case "attributes":
		return memberAttributes
	case "audience":
		return memberAudience
	case "audience_basis":
		return memberAudienceBasis
	case "authorized_agents":
		return memberAuthorizedAgents
	case "candidates":
		return memberCandidates
	case "channel":
		return memberChannel
	case "complete":
		return memberComplete
	case "confidential":
		return memberConfidential
	case "digest":
		return memberDigest
	case "evidence":
		return memberEvidence
	case "expires_at":
		return memberExpiresAt
	case "external_viewers":
		return memberExternalViewers
	case "id":
		return memberID
	case "inheritance":
		return memberInheritance
	case "kind":
		return memberKind
	case "observed_at":
		return memberObservedAt
	case "prohibit_confidential":
		return memberProhibitConfidential
	case "recorded_at":
		return memberRecordedAt
	case "require_attribution":
		return memberRequireAttribution
	case "revoked_viewers":
		return memberRevokedViewers
	case "seal":
		return memberSeal
	case "shared":
		return memberShared
	case "source":
		return memberSource
	case "sources":
		return memberSources
	case "state":
		return memberState
	case "store":
		return memberStore
	case "tenant":
		return memberTenant
	case "turn":
		return memberTurn
	case "viewers":
		return memberViewers
	case "viewers_basis":
		return memberViewersBasis
	default:
		return 0
	}
}

// field moves to the value of the next member of an object and returns which one it is; zero behind the
// last one. It adds the member to seen, where none may be twice.
func (s *scanner) field(seen *member) member {
	if !s.next('}', *seen == 0) {
		return 0
	}
	m := memberOf(s.quoted())
	if m == 0 || *seen&m != 0 {
		s.stop()
		return 0
	}
	*seen |= m
	s.colon()
	return m
}

// need makes sure that an object has every member of wanted.
func (s *scanner) need(seen, wanted member) {
	if seen&wanted != wanted {
		s.stop()
	}
}
