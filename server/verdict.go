package server

import (
	"slices"
	"strings"

	"earshot/policy"
)

func isVerdict(s string) bool { return slices.Contains(verdicts(), policy.Verdict(s)) }

func verdictList() string {
	words := make([]string, 0, len(verdicts()))
	for _, v := range verdicts() {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

func verdicts() []policy.Verdict {
	return []policy.Verdict{
		policy.IsolatedContext, policy.AuthorizedSharing, policy.BleedDetected, policy.UnattributedContext,
	}
}
