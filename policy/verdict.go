package policy

import (
	"fmt"
	"slices"
)

// Verdict speaks of sharing between agents among the candidates of one decision, in the words of
// the published bleed guard. It reports; the results decide.
type Verdict string

// The verdicts.
const (
	// IsolatedContext means nothing of another agent came in.
	IsolatedContext Verdict = "ISOLATED_CONTEXT"

	// AuthorizedSharing means another agent's item was admitted.
	AuthorizedSharing Verdict = "AUTHORIZED_SHARING"

	// BleedDetected means another agent's item was confidential, or not its to share, or its agent
	// not authorised.
	BleedDetected Verdict = "BLEED_DETECTED"

	// UnattributedContext means an item named nobody who introduced it.
	UnattributedContext Verdict = "UNATTRIBUTED_CONTEXT"
)

// The directives, in the words of the guard where it has words.
const (
	directiveHalt    = "HALT: "
	haltConfidential = directiveHalt + "%d confidential elements inherited from other agents."
	haltUnattributed = directiveHalt + "%d context elements lack attribution."
	haltUnauthorized = directiveHalt + "%d elements from unauthorized agents."
	haltRefused      = directiveHalt + "%d elements must not be inherited."
	haltBoundary     = directiveHalt + "the boundary between the agents is undefined."
	haltPolicy       = directiveHalt + "the policy refuses the hand-off as a whole."

	proceedShared   = "PROCEED: %d authorized shared elements."
	proceedIsolated = "PROCEED: Agent %s has isolated context."
)

// judge returns the verdict over results and the directive that puts it in a sentence. The gates
// stand in the order of the guard: confidential, attribution, authorised sharing, isolation.
func judge(req *Request, results []Result) (Verdict, string) {
	var confidential, unattributed, unauthorized, shared int
	for i := range results {
		reasons := results[i].Reasons
		foreign := isForeign(&req.Turn, req.Candidates[i].Agent)
		switch {
		case results[i].Admit:
			if foreign {
				shared++
			}
		case slices.Contains(reasons, codeConfidential):
			confidential++
		case slices.Contains(reasons, codeUnattributed):
			unattributed++
		case foreign && slices.ContainsFunc(reasons, isInheritanceForbid):
			unauthorized++
		}
	}
	switch {
	case confidential > 0:
		return BleedDetected, fmt.Sprintf(haltConfidential, confidential)
	case unattributed > 0:
		return UnattributedContext, fmt.Sprintf(haltUnattributed, unattributed)
	case unauthorized > 0:
		return BleedDetected, fmt.Sprintf(haltUnauthorized, unauthorized)
	case shared > 0:
		return AuthorizedSharing, fmt.Sprintf(proceedShared, shared)
	default:
		return IsolatedContext, fmt.Sprintf(proceedIsolated, req.Turn.Agent)
	}
}

// isForeign reports whether agent names somebody other than the one whose turn it is.
func isForeign(turn *Turn, agent string) bool { return agent != "" && agent != turn.Agent }

func isInheritanceForbid(code string) bool {
	switch code {
	case codeUnshared, codeAgentNotAuthorized, codeForeignDirective:
		return true
	}
	return false
}
