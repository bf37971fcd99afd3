package policytest

import (
	"fmt"
	"strings"
)

// compare returns how two outcomes differ, in the words of a case file; empty where they do not.
// Lines that begin with a minus are wanted, those with a plus are what came.
func compare(want, got outcome) string {
	diff := differences(want.lines(), got.lines())
	if diff == "" {
		return ""
	}
	return "the answer is not the wanted one (-want +got):" + diff
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

// lines returns the outcome as a case file states it, one part a line. Results answer by position,
// so the same line of two outcomes speaks of the same part.
func (o *outcome) lines() []string {
	if o.Refused != nil {
		return []string{fmt.Sprintf("refused: {code: %s, pointer: %q}", o.Refused.Code, o.Refused.Pointer)}
	}
	var lines []string
	viewers := "viewers: none"
	if o.Viewers != nil {
		viewers = fmt.Sprintf("viewers: {status: %s, reasons: %s}", o.Viewers.Status, inBrackets(o.Viewers.Reasons))
	}
	lines = append(lines, viewers, "verdict: "+o.Verdict, "results:")
	for _, r := range o.Results {
		line := fmt.Sprintf("  - {id: %q, admit: %t, reasons: %s", r.ID, r.Admit, inBrackets(r.Reasons))
		if len(r.Obligations) > 0 {
			line += ", obligations: " + inBrackets(r.Obligations)
		}
		lines = append(lines, line+"}")
	}
	return lines
}

func inBrackets(codes []string) string { return "[" + strings.Join(codes, ", ") + "]" }
