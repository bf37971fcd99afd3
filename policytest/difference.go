package policytest

import (
	"fmt"
	"strings"
)

// compare returns how two outcomes differ, in the words of a case file after a heading; empty where
// they do not. Lines that begin with a minus are wanted, those with a plus are what came.
func compare(heading string, want, got outcome) string {
	diff := differences(want.lines(), got.lines())
	if diff == "" {
		return ""
	}
	return heading + " (-want +got):" + diff
}

// differences returns two lists of lines as one, each line on a new one; empty where they are alike.
func differences(wanted, came []string) string {
	var out strings.Builder
	differ := false
	for i := range max(len(wanted), len(came)) {
		w, c := at(wanted, i), at(came, i)
		if w == c {
			fmt.Fprintf(&out, "\n  %s", w)
			continue
		}
		differ = true
		if w != "" {
			fmt.Fprintf(&out, "\n- %s", w)
		}
		if c != "" {
			fmt.Fprintf(&out, "\n+ %s", c)
		}
	}
	if !differ {
		return ""
	}
	return out.String()
}

// at returns the line at a position; empty beyond the end.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
