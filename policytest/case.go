package policytest

import (
	"time"

	"go.yaml.in/yaml/v3"

	"earshot/policytest/world"
)

// Case is one claim about the decision point, with all that is needed to hold it.
type Case struct {
	// Name is the path of the case without its ending: topic/claim_in_snake_case.
	Name string `yaml:"-"`

	// Claim is what must hold, in one sentence. The file is named after it.
	Claim string `yaml:"claim"`

	// Why is the reason behind the claim, for those who consider changing it.
	Why string `yaml:"why"`

	// Now is the clock of the decision.
	Now time.Time `yaml:"now"`

	// World is a small world, told in the words of the domain, whose turn makes the body. Nil where
	// Request, Handoff or Raw stands in its place.
	World *world.Story `yaml:"world"`

	// Request is the body of POST /v1/decisions.
	Request JSON `yaml:"request"`

	// Handoff is the body of POST /v1/handoffs.
	Handoff JSON `yaml:"handoff"`

	// Raw is a body of POST /v1/decisions that YAML cannot express, such as one with duplicate keys.
	Raw string `yaml:"raw"`

	// Facts is what the service itself has on record.
	Facts Facts `yaml:"facts"`

	// Settings replace those of the policy's data that have the same name, as an author would edit
	// them.
	Settings map[string]any `yaml:"settings"`

	Want Want `yaml:"want"`

	text []byte // of the file; nil where the case came from no file
}

// Facts is what the service itself has on record, which no caller can claim.
type Facts struct {
	// Roster is that of the turn's channel; nil where none is kept.
	Roster *Roster `yaml:"roster"`

	// Grants has, by the id of an item, the viewer set the item was granted to.
	Grants map[string][]string `yaml:"grants"`

	// Seals has, by the id of an item, what came of verifying its seal: valid, other_content or
	// invalid. A seal that is not there is invalid. Whatever the text of the seal, no label is filled in.
	Seals map[string]string `yaml:"seals"`
}

// Roster is the recorded membership of a channel.
type Roster struct {
	Members []string `yaml:"members"`
	Revoked []string `yaml:"revoked"`
}

// Want is what a case asserts: Refused; or Viewers and Results; or, of a hand-off, Verdict, Directive
// and Results.
type Want struct {
	// Refused says that nothing is decided at all.
	Refused *Refusal `yaml:"refused"`

	// Viewers are nil where Refused is given, and for a hand-off, which has none.
	Viewers *Viewers `yaml:"viewers"`

	// Results are all results of the answer, in order.
	Results []Result `yaml:"results"`

	// Verdict and Directive are compared where they are given.
	Verdict   string `yaml:"verdict"`
	Directive string `yaml:"directive"`

	// ManifestDigest is that of a hand-off, in 64 hex digits; compared where it is given.
	ManifestDigest string `yaml:"manifest_digest"`

	// Recorded is what an auditor reads in the log besides what was answered; compared where it is
	// given. That the log has the wanted answer is held for every case.
	Recorded *Recorded `yaml:"recorded"`

	// Absent are strings that must appear nowhere in the answer or the refusal, and that could: an
	// explained answer has them, or the body of what is refused or malformed.
	Absent []string `yaml:"absent"`
}

// Refusal is an answer that is an error.
type Refusal struct {
	// Code is the code of the problem, such as invalid_request.
	Code string `yaml:"code" json:"code"`

	// Pointer is the JSON pointer (RFC 6901) to what is wrong; empty where the code has none.
	Pointer string `yaml:"pointer" json:"pointer,omitempty"`
}

// Viewers is the resolved viewer set in an answer.
type Viewers struct {
	// Status is known or ambiguous.
	Status string `yaml:"status" json:"status"`

	// Reasons are the codes of an ambiguous set, sorted; absent for a known one.
	Reasons []string `yaml:"reasons" json:"reasons"`
}

// Result is the decision about one candidate in an answer.
type Result struct {
	ID    string `yaml:"id" json:"id"`
	Admit bool   `yaml:"admit" json:"admit"`

	// Reasons are sorted and never empty.
	Reasons []string `yaml:"reasons" json:"reasons"`

	// Obligations are sorted; absent where there are none.
	Obligations []string `yaml:"obligations" json:"obligations"`
}

// JSON is an object of a request as it is written in YAML.
type JSON map[string]any

// UnmarshalYAML implements yaml.Unmarshaler. A time without quotes stays the text it is: YAML would
// read it, and write it back in a form that a case did not ask for.
func (j *JSON) UnmarshalYAML(node *yaml.Node) error {
	keepTimes(node)
	return node.Decode((*map[string]any)(j))
}

func keepTimes(node *yaml.Node) {
	if node.Tag == "!!timestamp" {
		node.Tag = "!!str"
	}
	for _, child := range node.Content {
		keepTimes(child)
	}
}
