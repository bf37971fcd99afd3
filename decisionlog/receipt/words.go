package receipt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"earshot/policy"
)

// counted returns a number and a noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

func listed(names []Name) string {
	if len(names) == 0 {
		return "nobody"
	}
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}

func inBrackets(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return " (" + strings.Join(reasons, ", ") + ")"
}

func sortedKeys(counts map[string]int) []string { return slices.Sorted(maps.Keys(counts)) }

func seeElements(see func(string, Commitment), all []Commitment) {
	for _, c := range all {
		see(discloseElement, c)
	}
}

func seeNames(see func(string, Commitment), all []Name) {
	for _, n := range all {
		n.committed(see)
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkOptional(place string, n Name) error {
	if n == "" {
		return nil
	}
	return n.check(place)
}

func checkVerdict(v policy.Verdict) error {
	switch v {
	case policy.IsolatedContext, policy.AuthorizedSharing, policy.BleedDetected, policy.UnattributedContext:
		return nil
	}
	return wrong("/verdict", "must be a verdict")
}
