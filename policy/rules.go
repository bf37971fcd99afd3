package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Rules returns the rules of the policy that state a code in their METADATA, sorted by file and
// row.
func (e *Engine) Rules() []Rule {
	return slices.SortedFunc(maps.Values(e.rules), func(a, b Rule) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row))
	})
}
