package receipt

import (
	"fmt"
	"maps"
	"slices"
)

func (p *Isolation) check(subject []Subject) error {
	if err := oneSubject(subjectManifest, subject); err != nil {
		return err
	}
	if !slices.Contains([]string{ruleDecision, ruleHandoff, ruleGuard}, p.Rule) {
		return wrong("/rule", "is not a rule of this form")
	}
	if (p.Viewers == nil) == (p.Boundary == nil) {
		return wrong("/viewers", "or boundary must be there, and not both")
	}
	if p.Viewers != nil && (!p.Viewers.Commitment.valid() || p.Viewers.Status != "known" && p.Viewers.Status != "ambiguous") {
		return wrong("/viewers", "must have a status and a commitment")
	}
	if p.Boundary != nil && p.Boundary.SingleSource != "" {
		if err := p.Boundary.SingleSource.check("/boundary/single_source"); err != nil {
			return err
		}
	}
	for i, part := range p.Partitions {
		place := fmt.Sprintf("/partitions/%d", i)
		if err := firstOf(part.Agent.check(place+"/agent"), checkCommitments(place+"/private", part.Private),
			checkCommitments(place+"/shared", part.Shared)); err != nil {
			return err
		}
	}
	counts := map[string]int{}
	for i, e := range p.Excluded {
		if !e.Element.valid() || len(e.Reasons) == 0 {
			return wrong(fmt.Sprintf("/excluded/%d", i), "must have a commitment and a reason")
		}
		for _, reason := range e.Reasons {
			counts[reason]++
		}
	}
	if !maps.Equal(counts, p.ByReason) {
		return wrong("/excluded_by_reason", "must count the reasons of the excluded")
	}
	return firstOf(checkCommitments("/unattributed", p.Unattributed), checkCommitments("/admitted", p.Admitted))
}

func (p *Isolation) committed(see func(string, Commitment)) {
	if p.Viewers != nil {
		see(discloseViewers, p.Viewers.Commitment)
	}
	if p.Boundary != nil {
		p.Boundary.SingleSource.committed(see)
	}
	for _, part := range p.Partitions {
		part.Agent.committed(see)
		seeElements(see, part.Private)
		seeElements(see, part.Shared)
	}
	seeElements(see, p.Unattributed)
	seeElements(see, p.Admitted)
	for _, e := range p.Excluded {
		see(discloseElement, e.Element)
	}
}
