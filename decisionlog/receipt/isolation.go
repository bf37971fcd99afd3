package receipt

import (
	"fmt"
	"slices"
	"strings"

	"earshot/policy"
)

// Isolation is the predicate of the statement IsolationBoundary.
type Isolation struct {
	Head

	// Rule is the rule that the boundary is drawn by, as a sentence.
	Rule string `json:"rule"`

	// Viewers are of a decision.
	Viewers *Viewers `json:"viewers,omitzero"`

	// Boundary is of a hand-off.
	Boundary *Boundary `json:"boundary,omitzero"`

	// Partitions has one element an agent, sorted by agent. An element that has no owner is in
	// Unattributed.
	Partitions   []Partition  `json:"partitions"`
	Unattributed []Commitment `json:"unattributed"`

	// Admitted and Excluded together are every element, in order.
	Admitted []Commitment `json:"admitted"`
	Excluded []Exclusion  `json:"excluded"`

	// ByReason counts the excluded elements by each of their reasons.
	ByReason map[string]int `json:"excluded_by_reason"`
}

// Viewers are who will be able to read what the agent says.
type Viewers struct {
	Status     string     `json:"status"` // known or ambiguous
	Reasons    []string   `json:"reasons"`
	Commitment Commitment `json:"commitment"`
}

// Boundary is what was stated about the memory that the agents have in common.
type Boundary struct {
	Stated bool `json:"stated"`

	// SharedSubstrate is null where it was left open.
	SharedSubstrate *bool `json:"shared_substrate"`

	SingleSource Name `json:"single_source,omitzero"`
}

// Partition is what belongs to one agent.
type Partition struct {
	Agent   Name         `json:"agent"`
	Private []Commitment `json:"private"`
	Shared  []Commitment `json:"shared"`
}

// Exclusion is an element that was kept out.
type Exclusion struct {
	Element Commitment `json:"element"`
	Reasons []string   `json:"reasons"`
}

// The rules that a boundary is drawn by.
const (
	ruleDecision = "An element is admitted only if every viewer is in its effective audience."
	ruleHandoff  = "An element is inherited only if it is shared and attributed, and private to no other agent."
	ruleGuard    = "An element is inherited as the published bleed guard has it."
)

func boundaryOf(v *vault, b *policy.Boundary) *Boundary {
	stated := &Boundary{Stated: b.Stated, SingleSource: v.name(b.SingleSource)}
	if b.SharedSubstrate != policy.SubstrateUnstated {
		stated.SharedSubstrate = new(b.SharedSubstrate == policy.SubstrateShared)
	}
	return stated
}

func isolationOf(m *matter, v *vault) (*Isolation, []Subject) {
	p := &Isolation{
		Head: m.head, Rule: ruleDecision, Viewers: m.viewers, Boundary: m.boundary,
		Partitions: []Partition{}, Unattributed: []Commitment{},
		Admitted: []Commitment{}, Excluded: []Exclusion{}, ByReason: map[string]int{},
	}
	switch m.profile {
	case policy.ProfileStrict:
		p.Rule = ruleHandoff
	case policy.ProfileReference:
		p.Rule = ruleGuard
	}
	partitions := map[Name]*Partition{}
	for i := range m.elements {
		e := &m.elements[i]
		p.divide(e, v.nameAll(m.private[e.id]), partitions)
		if e.admit {
			p.Admitted = append(p.Admitted, e.commitment)
			continue
		}
		p.Excluded = append(p.Excluded, Exclusion{e.commitment, e.reasons})
		for _, reason := range e.reasons {
			p.ByReason[reason]++
		}
	}
	for _, partition := range partitions {
		p.Partitions = append(p.Partitions, *partition)
	}
	slices.SortFunc(p.Partitions, func(a, b Partition) int { return strings.Compare(string(a.Agent), string(b.Agent)) })
	return p, []Subject{{subjectManifest, Digest{m.manifest}}}
}

// divide puts an element into the partitions of its owners: those to whom the boundary makes it
// private, or else who introduced it.
func (p *Isolation) divide(e *element, private []Name, partitions map[Name]*Partition) {
	of := func(agent Name) *Partition {
		if partitions[agent] == nil {
			partitions[agent] = &Partition{agent, []Commitment{}, []Commitment{}}
		}
		return partitions[agent]
	}
	for _, agent := range private {
		of(agent).Private = append(of(agent).Private, e.commitment)
	}
	switch {
	case len(private) > 0:
	case e.introducedBy == "":
		p.Unattributed = append(p.Unattributed, e.commitment)
	case e.shared:
		of(e.introducedBy).Shared = append(of(e.introducedBy).Shared, e.commitment)
	default:
		of(e.introducedBy).Private = append(of(e.introducedBy).Private, e.commitment)
	}
}

// Name returns IsolationBoundary.
func (p *Isolation) Name() string { return IsolationBoundary }

// Sentences returns how many elements were admitted, how many kept out for which reasons, and whose
// they are.
func (p *Isolation) Sentences() []string {
	all := []string{"Rule: " + p.Rule}
	if p.Viewers != nil {
		all = append(all, fmt.Sprintf("The viewers are %s%s.", p.Viewers.Status, inBrackets(p.Viewers.Reasons)))
	}
	if p.Boundary != nil && !p.Boundary.Stated {
		all = append(all, "No boundary was stated.")
	}
	all = append(all, fmt.Sprintf("Of %s, %d admitted and %d excluded.",
		counted(len(p.Admitted)+len(p.Excluded), "element"), len(p.Admitted), len(p.Excluded)))
	for _, reason := range sortedKeys(p.ByReason) {
		all = append(all, fmt.Sprintf("Excluded for %s: %d.", reason, p.ByReason[reason]))
	}
	for _, part := range p.Partitions {
		all = append(all, fmt.Sprintf("%s has %d private and %d shared.", part.Agent, len(part.Private), len(part.Shared)))
	}
	if len(p.Unattributed) > 0 {
		all = append(all, fmt.Sprintf("Of nobody: %d.", len(p.Unattributed)))
	}
	return all
}
