package reading

import (
	"fmt"

	"earshot/policy"
)

// verdict speaks of sharing between agents, gate by gate.
func verdict(req policy.Request, results []policy.Result) (policy.Verdict, string) {
	var confidential, unattributed, unauthorized, shared int
	for position, result := range results {
		agent := req.Candidates[position].Agent
		another := agent != "" && agent != req.Turn.Agent
		reasons := setOf(result.Reasons)
		if reasons["confidential_from_other_agent"] {
			confidential++
		}
		if reasons["unattributed"] {
			unattributed++
		}
		if another && (reasons["unshared_from_other_agent"] || reasons["agent_not_authorized"] || reasons["foreign_directive"]) {
			unauthorized++
		}
		if another && result.Admit {
			shared++
		}
	}
	switch {
	case confidential > 0:
		return policy.BleedDetected, fmt.Sprintf("HALT: %d confidential elements inherited from other agents.", confidential)
	case unattributed > 0:
		return policy.UnattributedContext, fmt.Sprintf("HALT: %d context elements lack attribution.", unattributed)
	case unauthorized > 0:
		return policy.BleedDetected, fmt.Sprintf("HALT: %d elements from unauthorized agents.", unauthorized)
	case shared > 0:
		return policy.AuthorizedSharing, fmt.Sprintf("PROCEED: %d authorized shared elements.", shared)
	default:
		return policy.IsolatedContext, fmt.Sprintf("PROCEED: Agent %s has isolated context.", req.Turn.Agent)
	}
}
