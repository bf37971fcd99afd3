package policytest

import (
	"errors"
	"fmt"
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
		return nil, "give the body as one of world, request, handoff and raw"
	case c.Handoff != nil && (c.Facts.Roster != nil || c.Facts.Grants != nil):
		return []string{"facts"}, "a hand-off asks for no facts; leave them out"
	}
	if where, problem = c.checkWorld(); problem != "" {
		return append([]string{"world"}, where...), problem
	}
	where, problem = c.Want.check(c.Handoff != nil)
	return append([]string{"want"}, where...), problem
}

// bodies counts the forms in which the case gives its body.
func (c *Case) bodies() int {
	n := 0
	for _, given := range []bool{c.World != nil, c.Request != nil, c.Handoff != nil, c.Raw != ""} {
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
		return impossible.Place, fmt.Sprintf("%v: %s", world.ErrImpossible, impossible.Problem)
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
