package policytest

import "strings"

// Difference is how what came of a case is not what it wants. The zero value means that the case holds.
type Difference struct {
	// Line is that of the first part of the case that does not hold, counted from 1.
	Line int

	// Text says in which way, in the words of a case file. Lines that begin with a minus are wanted, those
	// with a plus are what came.
	Text string
}

// Holds reports whether there is none.
func (d Difference) Holds() bool { return d.Text == "" }

// stated is one line of a case file with the keys that lead to it.
type stated struct {
	text  string
	where []string
}

// mismatch is one way in which a case does not hold, with the keys that lead to the part that wants
// something else. The zero value is none.
type mismatch struct {
	text  string
	where []string
}

// compare returns how two outcomes differ, after a heading.
func compare(heading string, want, got outcome) mismatch {
	return differences(heading, want.lines(), got.lines())
}

// differences returns two lists of lines as one, after a heading.
func differences(heading string, wanted, came []stated) mismatch {
	out := mismatch{text: heading + " (-want +got):"}
	for i := range max(len(wanted), len(came)) {
		w, c := at(wanted, i), at(came, i)
		if w.text == c.text {
			out.text += "\n  " + w.text
			continue
		}
		if out.where == nil {
			if out.where = w.where; w.text == "" { // The list of results is shorter than it should be.
				out.where = c.where
			}
		}
		if w.text != "" {
			out.text += "\n- " + w.text
		}
		if c.text != "" {
			out.text += "\n+ " + c.text
		}
	}
	if out.where == nil {
		return mismatch{}
	}
	return out
}

// at returns the line at a position; empty beyond the end.
func at(lines []stated, i int) stated {
	if i < len(lines) {
		return lines[i]
	}
	return stated{}
}

// difference joins what does not hold, and finds the line of the first.
func (c *Case) difference(all ...mismatch) Difference {
	var texts []string
	var where []string
	for _, m := range all {
		if m.text == "" {
			continue
		}
		if len(texts) == 0 {
			where = m.where
		}
		texts = append(texts, m.text)
	}
	if len(texts) == 0 {
		return Difference{}
	}
	return Difference{Line: lineOf(c.text, append([]string{"want"}, where...)...), Text: strings.Join(texts, "\n")}
}
