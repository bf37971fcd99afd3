package policytest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"earshot/policytest/world"
)

// check returns what is missing from the case and the keys that lead to the place; an empty problem
// means that nothing is.
func (c *Case) check(name string) (where []string, problem string) {
	switch {
	case c.Claim == "":
		return nil, "claim is missing: say in one sentence what must hold"
	case snake(c.Claim) != name:
		return []string{"claim"}, fmt.Sprintf("the file of this claim is called %s%s", snake(c.Claim), caseEnding)
	case c.Why == "":
		return nil, "why is missing: say what goes wrong otherwise"
	case c.Now.IsZero():
		return nil, "now is missing: give the clock of the decision"
	case c.bodies() != 1:
		return nil, "give the body as one of world, request and raw"
	}
	if where, problem = c.checkWorld(); problem != "" {
		return append([]string{"world"}, where...), problem
	}
	where, problem = c.Want.check()
	return append([]string{"want"}, where...), problem
}

// bodies counts the forms in which the case gives its body.
func (c *Case) bodies() int {
	n := 0
	for _, given := range []bool{c.World != nil, c.Request != nil, c.Raw != ""} {
		if given {
			n++
		}
	}
	return n
}

// checkWorld is check for the world of a case.
func (c *Case) checkWorld() (where []string, problem string) {
	if c.World == nil {
		return nil, ""
	}
	_, err := world.Tell(*c.World, c.Now)
	if impossible, ok := errors.AsType[*world.ImpossibleError](err); ok {
		return impossible.Place, impossible.Problem
	}
	return nil, ""
}

// check is check for what a case asserts.
func (w *Want) check() (where []string, problem string) {
	decided := w.Viewers != nil || len(w.Results) > 0 || w.Verdict != ""
	switch {
	case w.Refused == nil && !decided:
		return nil, "want asserts nothing: give refused, or viewers and results"
	case w.Refused != nil && decided:
		return nil, "a refused request has neither viewers nor results nor a verdict"
	case w.Refused != nil && w.Refused.Code == "":
		return []string{"refused"}, "refused has no code"
	case w.Refused != nil && w.Recorded != nil:
		return []string{"recorded"}, "a refused request is not recorded"
	case w.Refused != nil:
		return nil, ""
	case w.Viewers == nil || w.Viewers.Status == "":
		return nil, "want has no viewers with a status"
	case w.Viewers.Status != "known" && w.Viewers.Status != "ambiguous":
		return []string{"viewers", "status"}, fmt.Sprintf("viewers are known or ambiguous, and these are %s", w.Viewers.Status)
	case w.Results == nil:
		return nil, "want has no results; the answer to no candidates has an empty list"
	case w.Recorded != nil && w.Recorded.empty():
		return []string{"recorded"}, "recorded asserts nothing: give agent, channel, tenant, viewers, admitted, denied or absent"
	}
	for i := range w.Results {
		if len(w.Results[i].Reasons) == 0 {
			return []string{"results", strconv.Itoa(i)}, fmt.Sprintf("result %d has no reasons; every answer gives some", i)
		}
	}
	return nil, ""
}

// snake returns a sentence as a file name: its words in lower case, joined by underscores.
func snake(sentence string) string {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.ReplaceAll(strings.Join(words, "_"), "'", "")
}
