package wire

import "earshot/policy"

// turn reads the turn, with the defaults that reader has.
func (s *scanner) turn() policy.Turn {
	t := policy.Turn{Attempt: 1, ViewersBasis: policy.BasisPlatform}
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberID:
			t.ID = s.rare()
		case memberAttempt:
			t.Attempt = s.ordinal()
		case memberTenant:
			t.Tenant = s.label(m)
		case memberAgent:
			t.Agent = s.value(m)
		case memberChannel:
			t.Channel = s.label(m)
		case memberViewers:
			if !s.word("null") { // null is as absent: not known
				t.Viewers = s.principals([]string{})
			}
		case memberViewersBasis:
			t.ViewersBasis = s.value(m)
		case memberExternalViewers:
			t.ExternalViewers = s.principals([]string{})
		case memberRevokedViewers:
			t.RevokedViewers = s.principals([]string{})
		case memberEvidence:
			s.open('[')
			for s.next(']', t.Evidence == nil) {
				t.Evidence = append(t.Evidence, s.evidence())
			}
		case memberAttributes:
			t.Attributes = s.free()
		default:
			s.stop()
		}
	}
	s.need(seen, memberAgent)
	return t
}

// evidence reads one reading of who is in the room.
func (s *scanner) evidence() policy.Evidence {
	e := policy.Evidence{Complete: true}
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberSource:
			e.Source = s.label(m)
		case memberViewers:
			e.Viewers = s.principals([]string{})
		case memberComplete:
			e.Complete = s.flag()
		case memberObservedAt:
			e.ObservedAt = s.instant()
		default:
			s.stop()
		}
	}
	s.need(seen, memberViewers)
	return e
}

// inheritance reads what the agent may take over from other agents.
func (s *scanner) inheritance() policy.Inheritance {
	var in policy.Inheritance
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberAuthorizedAgents:
			in.AuthorizedAgents = s.principals([]string{})
		case memberProhibitConfidential:
			in.AllowConfidential = !s.flag()
		case memberRequireAttribution:
			in.AllowUnattributed = !s.flag()
		default:
			s.stop()
		}
	}
	return in
}

// principals reads a list of strings and appends them to names, which is empty.
func (s *scanner) principals(names []string) []string {
	s.open('[')
	for s.next(']', len(names) == 0) {
		if len(names) == s.limits.Members {
			s.stop()
			return nil
		}
		names = append(names, s.text())
	}
	return names
}
