package policytest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"earshot/policy"
)

// localCode is the form of a code of an author's own rule. Such a rule need not state its code where
// the policy can be asked for it.
var localCode = regexp.MustCompile(`^local:[a-z][a-z0-9_]*$`)

// gatesPackage is where a policy has the rules of a hand-off.
const gatesPackage = "data.earshot.handoff"

// checkCodes refuses a code that is neither in the contract nor in the policy. The error is a
// *CaseError.
func (c *Case) checkCodes(engine *policy.Engine) error {
	known := contractCodes(c.Handoff != nil)
	for _, rule := range engine.Rules() {
		if strings.HasPrefix(rule.Package, gatesPackage) == (c.Handoff != nil) {
			known = append(known, rule.Code)
		}
	}
	check := func(codes []string, where ...string) error {
		for i, code := range codes {
			if !slices.Contains(known, code) && !localCode.MatchString(code) {
				return c.fault(nil, fmt.Sprintf("no rule gives the code %s; codes are those of the contract, those that pdp check lists, and local:<code>", code),
					slices.Concat([]string{"want"}, where, []string{strconv.Itoa(i)})...)
			}
		}
		return nil
	}
	if c.Want.Viewers != nil {
		if err := check(c.Want.Viewers.Reasons, "viewers", "reasons"); err != nil {
			return err
		}
	}
	for i, r := range c.Want.Results {
		if err := check(r.Reasons, "results", strconv.Itoa(i), "reasons"); err != nil {
			return err
		}
		if err := check(r.Obligations, "results", strconv.Itoa(i), "obligations"); err != nil {
			return err
		}
	}
	return nil
}

// contractCodes are the codes of the wire contract that a policy may do without or that no policy
// gives. All others are in every policy that loads.
func contractCodes(handoff bool) []string {
	codes := []string{policy.CodePolicyError, policy.CodeInvariantViolation, "label_source"}
	if handoff {
		return append(codes, policy.CodeHandoffHalted, "own_element", "authorized_sharing", "single_origin", "isolated_context")
	}
	return append(codes, "public", "tenant_wide", "audience_covers_viewers", "granted")
}
