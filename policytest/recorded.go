package policytest

import (
	"fmt"

	"earshot/policy"
)

// Recorded is what an auditor reads in the log about one decision. Every part that is given is
// compared.
type Recorded struct {
	Agent   string `yaml:"agent"`
	Channel string `yaml:"channel"`
	Tenant  string `yaml:"tenant"`

	// Viewers are those whom the caller stated, sorted.
	Viewers []string `yaml:"viewers"`

	// Admitted and Denied are ids of items, in order.
	Admitted []string `yaml:"admitted"`
	Denied   []string `yaml:"denied"`

	// Absent are strings that must appear nowhere in the entry.
	Absent []string `yaml:"absent"`
}

func (r *Recorded) empty() bool {
	return r.Agent == "" && r.Channel == "" && r.Tenant == "" &&
		r.Viewers == nil && r.Admitted == nil && r.Denied == nil && len(r.Absent) == 0
}

// recordedOf returns what an auditor reads in an entry.
func recordedOf(agent, channel, tenant string, viewers []string, results []policy.Result) Recorded {
	out := Recorded{Agent: agent, Channel: channel, Tenant: tenant, Viewers: viewers}
	for i := range results {
		if results[i].Admit {
			out.Admitted = append(out.Admitted, results[i].ID)
		} else {
			out.Denied = append(out.Denied, results[i].ID)
		}
	}
	return out
}

// check compares what a case wants an auditor to read with what is there. The entry as JSON is
// searched for what must be absent.
func (r *Recorded) check(got *Recorded, text string) string {
	if r == nil {
		return ""
	}
	if diff := differences(r.lines(r), r.lines(got)); diff != "" {
		return "the recorded entry is not the wanted one (-want +got):" + diff
	}
	for _, s := range r.Absent {
		if contains(text, s) {
			return fmt.Sprintf("the recorded entry holds %q, which must not appear:\n%s", s, text)
		}
	}
	return ""
}

// lines returns those parts of an entry that r wants something of, as a case file states them, one a
// line.
func (r *Recorded) lines(entry *Recorded) []string {
	var lines []string
	for _, part := range []struct {
		key   string
		given bool
		value string
	}{
		{"agent", r.Agent != "", entry.Agent},
		{"channel", r.Channel != "", entry.Channel},
		{"tenant", r.Tenant != "", entry.Tenant},
		{"viewers", r.Viewers != nil, inBrackets(entry.Viewers)},
		{"admitted", r.Admitted != nil, inBrackets(entry.Admitted)},
		{"denied", r.Denied != nil, inBrackets(entry.Denied)},
	} {
		if part.given {
			lines = append(lines, part.key+": "+part.value)
		}
	}
	return lines
}
