package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"earshot/policytest/world"
)

// caseFile is a scenario in the form of a case: a world, and what the ledger expects.
type caseFile struct {
	Claim string    `yaml:"claim"`
	Why   string    `yaml:"why"`
	Now   time.Time `yaml:"now"`
	World yaml.Node `yaml:"world"`
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
		{"information type", s.Flow.Type}, {"transmission principle", s.Flow.Principle},
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
	file, err := s.caseFile()
	if err != nil {
		return nil, err
	}
	if err := encoder.Encode(file); err != nil {
		return nil, fmt.Errorf("write the scenario %s: %w", s.Name, err)
	}
	d.comment(&out)
	return out.Bytes(), nil
}

// comment writes what was decided and what of it did not hold.
func (d *Decided) comment(out *bytes.Buffer) {
	v := d.Decision.Viewers
	fmt.Fprintf(out, "# Decided, by the policy %s:\n#   viewers: {status: %s, reasons: [%s]}\n",
		d.Decision.PolicyRevision, status(v.Known), strings.Join(v.Reasons, ", "))
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

func status(known bool) string {
	if known {
		return "known"
	}
	return "ambiguous"
}

func (s *Scenario) caseFile() (*caseFile, error) {
	file := &caseFile{
		Claim: strings.ToUpper(s.Name[:1]) + s.Name[1:] + " keeps what must not be learned",
		Why:   fmt.Sprintf("What %s gave was %s.", s.Flow.Sender, s.Flow.Principle),
		Now:   Now(),
	}
	if err := encodeStory(&file.World, s.Story); err != nil {
		return nil, fmt.Errorf("write the world of %s: %w", s.Name, err)
	}
	doubts := s.World.Doubts()
	file.Want.Viewers.Status, file.Want.Viewers.Reasons = status(len(doubts) == 0), doubts
	for _, e := range s.World.Expect() {
		file.Want.Results = append(file.Want.Results, caseResult(e))
	}
	return file, nil
}

// encodeStory writes a story without what it leaves open.
func encodeStory(node *yaml.Node, story world.Story) error {
	if err := node.Encode(story); err != nil {
		return err
	}
	prune(node)
	for i := 0; i < len(node.Content); i += 2 {
		switch value := node.Content[i+1]; node.Content[i].Value {
		case "channels":
			for at := 1; at < len(value.Content); at += 2 {
				value.Content[at].Style = yaml.FlowStyle
			}
		case "here_now":
			if v := story.HereNow.Viewers; v != nil && len(v) == 0 { // To name nobody is not to be silent.
				value.Content = append(value.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "viewers"},
					&yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle})
			}
		}
	}
	return nil
}

// prune leaves out the keys whose values are empty, and sets lists of words and the elements of lists
// on one line each.
func prune(node *yaml.Node) {
	if node.Kind == yaml.MappingNode {
		kept := node.Content[:0]
		for i := 0; i < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			prune(value)
			if !isEmpty(key, value) {
				kept = append(kept, key, value)
			}
		}
		node.Content = kept
		return
	}
	words := true
	for _, child := range node.Content {
		prune(child)
		if child.Kind != yaml.ScalarNode {
			words, child.Style = false, yaml.FlowStyle
		}
	}
	if words && node.Kind == yaml.SequenceNode {
		node.Style = yaml.FlowStyle
	}
}

// isEmpty reports whether a story reads the same without the key. That something is not confidential
// must be said.
func isEmpty(key, value *yaml.Node) bool {
	if value.Kind != yaml.ScalarNode {
		return len(value.Content) == 0
	}
	switch value.ShortTag() {
	case "!!null":
		return true
	case "!!str":
		return value.Value == ""
	case "!!bool":
		return value.Value == "false" && key.Value != "confidential"
	case "!!timestamp":
		return value.Value == time.Time{}.Format(time.RFC3339)
	}
	return false
}
