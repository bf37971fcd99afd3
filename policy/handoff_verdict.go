package policy

import (
	"fmt"
	"slices"
)

// judgeHandoff returns the verdict over the elements of a hand-off and the directive that puts it in a
// sentence. The gates stand in the order of the guard. Whatever is denied for any other reason, a
// failure of the policy included, halts the hand-off too.
func judgeHandoff(h *Handoff, halts []string, results []Result) (Verdict, string) {
	var confidential, unattributed, unauthorized, refused, shared int
	for i := range results {
		reasons := results[i].Reasons
		switch {
		case results[i].Admit:
			if h.foreign(&h.Elements[i]) {
				shared++
			}
		case slices.Contains(reasons, codeConfidential):
			confidential++
		case slices.Contains(reasons, codeUnattributed):
			unattributed++
		case slices.Contains(reasons, codeAgentNotAuthorized):
			unauthorized++
		case slices.ContainsFunc(reasons, func(code string) bool { return !slices.Contains(halts, code) }):
			refused++
		}
	}
	switch {
	case confidential > 0:
		return BleedDetected, fmt.Sprintf(haltConfidential, confidential)
	case unattributed > 0:
		return UnattributedContext, fmt.Sprintf(haltUnattributed, unattributed)
	case unauthorized > 0:
		return BleedDetected, fmt.Sprintf(haltUnauthorized, unauthorized)
	case refused > 0:
		return BleedDetected, fmt.Sprintf(haltRefused, refused)
	case slices.Contains(halts, codeBoundaryUndefined):
		return BleedDetected, haltBoundary
	case len(halts) > 0:
		return BleedDetected, haltPolicy
	case shared > 0:
		return AuthorizedSharing, fmt.Sprintf(proceedShared, shared)
	default:
		return IsolatedContext, fmt.Sprintf(proceedIsolated, h.Agent)
	}
}
