package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"earshot/policy"
	"earshot/policytest/world"
)

// caseFile is a scenario in the form of a case: a world, and what the ledger expects.
type caseFile struct {
	Claim string      `yaml:"claim"`
	Why   string      `yaml:"why"`
	Now   time.Time   `yaml:"now"`
	World world.Story `yaml:"world"`
	Want  struct {
		Viewers struct {
			Status  string   `yaml:"status"`
			Reasons []string `yaml:"reasons,omitempty"`
		} `yaml:"viewers,flow"`
		Results []caseResult `yaml:"results"`
	} `yaml:"want"`
}

// caseResult is one result, on a line of its own.
type caseResult struct {
	ID          string   `yaml:"id"`
	Admit       bool     `yaml:"admit"`
	Reasons     []string `yaml:"reasons"`
	Obligations []string `yaml:"obligations,omitempty"`
}

// MarshalYAML implements yaml.Marshaler.
func (r caseResult) MarshalYAML() (any, error) {
	type plain caseResult
	var node yaml.Node
	err := node.Encode(plain(r))
	node.Style = yaml.FlowStyle
	return &node, err
}

// YAML returns the scenario as a case file: its world and what the ledger expects. Comments before
// it have the five labels of the flow that must not happen, the question and the facts; comments after
// it have what was decided.
func (d *Decided) YAML() ([]byte, error) {
	s := d.Scenario
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s, seed %d. The flow that must not happen:\n", s.Name, d.seed)
	for _, label := range [][2]string{
		{"subject", s.Flow.Subject}, {"sender", s.Flow.Sender}, {"recipient", s.Flow.Recipient},
		{"information type", s.Flow.Type}, {"transmission principle", string(s.Flow.Principle)},
	} {
		fmt.Fprintf(&out, "#   %s: %s\n", label[0], label[1])
	}
	fmt.Fprintf(&out, "# %s asks: %s\n", s.Asker, s.Query)
	for _, f := range s.Facts {
		word := "permitted"
		if f.Forbidden {
			word = "forbidden"
		}
		fmt.Fprintf(&out, "#   %s, %s: %s\n", f.ID, word, f.Text)
	}
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(s.caseFile()); err != nil {
		return nil, fmt.Errorf("write the scenario %s: %w", s.Name, err)
	}
	d.comment(&out)
	return out.Bytes(), nil
}

// comment writes what was decided and what of it did not hold.
func (d *Decided) comment(out *bytes.Buffer) {
	v := d.Decision.Viewers
	fmt.Fprintf(out, "# Decided, by the policy %s:\n#   viewers: {status: %s, reasons: [%s]}\n",
		d.Decision.PolicyRevision, v.Status(), strings.Join(v.Reasons, ", "))
	for _, r := range d.Decision.Results {
		fmt.Fprintf(out, "#   {id: %s, admit: %t, reasons: [%s], obligations: [%s]}\n",
			r.ID, r.Admit, strings.Join(r.Reasons, ", "), strings.Join(r.Obligations, ", "))
	}
	for _, miss := range d.Misses {
		fmt.Fprintf(out, "# %s\n", miss)
	}
	if len(d.Misses) == 0 {
		fmt.Fprintln(out, "# Every assertion holds.")
	}
}

func (s *Scenario) caseFile() *caseFile {
	file := &caseFile{
		Claim: strings.ToUpper(s.Name[:1]) + s.Name[1:] + " keeps what must not be learned",
		Why:   fmt.Sprintf("Information about %s, %s, must not reach %s.", s.Flow.Subject, s.Flow.Principle, s.Flow.Recipient),
		Now:   Now(),
		World: s.Story,
	}
	viewers := policy.Viewers{Reasons: s.World.Doubts()}
	viewers.Known = len(viewers.Reasons) == 0
	file.Want.Viewers.Status, file.Want.Viewers.Reasons = viewers.Status(), viewers.Reasons
	for _, e := range s.World.Expect() {
		file.Want.Results = append(file.Want.Results, caseResult(e))
	}
	return file
}
