package reading

import "earshot/policy"

func (m matter) another(agent string) bool { return agent != "" && agent != m.turn.Agent }

func (m matter) fromAnotherAgent() bool { return m.another(m.candidate.Agent) }

func maybeConfidential(c policy.Confidentiality) bool { return c != policy.NotConfidential }

func unattributed(m matter) bool {
	required := !m.inheritance.AllowUnattributed || maybeConfidential(m.candidate.Confidential)
	return m.candidate.Agent == "" && required
}

func confidentialFromOtherAgent(m matter) bool {
	if m.inheritance.AllowConfidential {
		return false
	}
	if m.fromAnotherAgent() && maybeConfidential(m.candidate.Confidential) {
		return true
	}
	for _, source := range everySource(m.candidate.Sources) {
		if m.another(source.Agent) && maybeConfidential(source.Confidential) {
			return true
		}
		// What nobody claims, behind what another agent brings, is that agent's.
		if m.fromAnotherAgent() && source.Agent == "" && source.Confidential == policy.Confidential {
			return true
		}
	}
	return false
}

func unsharedFromOtherAgent(m matter) bool { return m.fromAnotherAgent() && !m.candidate.Shared }

func agentNotAuthorized(m matter) bool {
	if !m.fromAnotherAgent() {
		return false
	}
	limit, limited := m.settings.InheritFrom[m.turn.Agent]
	authorized := setOf(m.inheritance.AuthorizedAgents)[m.candidate.Agent]
	return !authorized || limited && !setOf(limit)[m.candidate.Agent]
}

func foreignDirective(m matter) bool { return m.fromAnotherAgent() && m.candidate.Kind == "directive" }
