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
		return BleedDetected, fmt.Sprintf("HALT: %d confidential elements inherited from other agents.", confidential)
	case unattributed > 0:
		return UnattributedContext, fmt.Sprintf("HALT: %d context elements lack attribution.", unattributed)
	case unauthorized > 0:
		return BleedDetected, fmt.Sprintf("HALT: %d elements from unauthorized agents.", unauthorized)
	case shared > 0:
		return AuthorizedSharing, fmt.Sprintf("PROCEED: %d authorized shared elements.", shared)
	default:
		return IsolatedContext, fmt.Sprintf("PROCEED: Agent %s has isolated context.", req.Turn.Agent)
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
