package policytest

import (
	"slices"
	"strings"

	"earshot/policy"
)

// unknownCodes names the codes in w that no rule of the policy has; empty where there are none. A rule
// of an author need not state its code where the policy can be asked for it.
func (w *Want) unknownCodes(engine *policy.Engine) string {
	known := []string{policy.CodePolicyError, policy.CodeInvariantViolation}
	for _, rule := range engine.Rules() {
		known = append(known, rule.Code)
	}
	var codes []string
	if w.Viewers != nil {
		codes = append(codes, w.Viewers.Reasons...)
	}
	for _, r := range w.Results {
		codes = append(append(codes, r.Reasons...), r.Obligations...)
	}
	var problems []string
	for _, code := range codes {
		if !slices.Contains(known, code) && !strings.HasPrefix(code, "local:") {
			problems = append(problems, "the policy has no rule "+code)
		}
	}
	return strings.Join(slices.Compact(problems), "\n")
}
