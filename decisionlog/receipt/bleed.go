package receipt

import (
	"fmt"
	"slices"

	"earshot/policy"
)

// Bleed is the predicate of the statement BleedDetection.
type Bleed struct {
	Head

	// VerificationID is of a context that was checked before it reached a model; absent otherwise.
	VerificationID string `json:"verification_id,omitzero"`

	// Findings are the elements or segments that are not covered, in order; none where all are.
	Findings []Finding `json:"findings"`

	// Verdict is absent for a context that was checked, whose findings say all.
	Verdict policy.Verdict `json:"verdict,omitzero"`

	// Directive is HALT or PROCEED.
	Directive string `json:"directive"`
}

// Finding is one element or segment that is not covered.
type Finding struct {
	// Element is the commitment of an element, or of a segment of a context that was checked.
	Element Commitment `json:"element"`

	// Kind is one of those of policy.Finding.
	Kind string `json:"kind"`

	// Item is the item that a segment has text of; absent where that is none, and for an element.
	Item Commitment `json:"item,omitzero"`

	// Reasons are why an element was denied; none for a segment.
	Reasons []string `json:"reasons"`

	// Severity is high, medium or low.
	Severity string `json:"severity"`
}

// The severities: high where something confidential, forged or changed would have passed, low where
// only a neighbour is at fault.
const (
	severityHigh   = "high"
	severityMedium = "medium"
	severityLow    = "low"
)

// The directives, without what follows the colon.
const (
	directiveHalt    = "HALT"
	directiveProceed = "PROCEED"
)

// findings returns the kinds of finding.
func findings() []string {
	return []string{policy.FindUnattributed, policy.FindNotAdmitted, policy.FindAudienceMismatch, policy.FindDigestMismatch, policy.FindUnknownItem}
}

func bleedOf(m *matter) (*Bleed, []Subject) {
	p := &Bleed{Head: m.head, Findings: []Finding{}, Verdict: m.verdict, Directive: m.directive}
	for i := range m.elements {
		if e := &m.elements[i]; !e.admit {
			p.Findings = append(p.Findings, Finding{
				Element: e.commitment, Kind: kindOfFinding(e.reasons), Reasons: e.reasons, Severity: severityOf(e.reasons),
			})
		}
	}
	return p, []Subject{{subjectManifest, Digest{m.manifest}}}
}

// kindOfFinding returns the kind that the reasons of a deny come down to. Attribution goes first: a
// label without an author says nothing reliable about an audience.
func kindOfFinding(reasons []string) string {
	for _, of := range []struct {
		kind  string
		codes []string
	}{
		{policy.FindUnattributed, []string{"unattributed"}},
		{policy.FindDigestMismatch, []string{"digest_mismatch"}},
		{policy.FindAudienceMismatch, []string{"audience_missing", "audience_not_recorded", "external_viewer", "revoked",
			"source_audience_narrower", "viewer_not_in_audience", "viewers_ambiguous", policy.CodeInvariantViolation}},
	} {
		if slices.ContainsFunc(reasons, func(code string) bool { return slices.Contains(of.codes, code) }) {
			return of.kind
		}
	}
	return policy.FindNotAdmitted
}

func severityOf(reasons []string) string {
	grave := []string{"confidential_from_other_agent", "digest_mismatch", "private_to_other_agent", "seal_invalid",
		"tenant_mismatch", policy.CodeInvariantViolation}
	switch {
	case slices.ContainsFunc(reasons, func(code string) bool { return slices.Contains(grave, code) }):
		return severityHigh
	case len(reasons) == 1 && reasons[0] == policy.CodeHandoffHalted:
		return severityLow
	default:
		return severityMedium
	}
}

// Name returns BleedDetection.
func (p *Bleed) Name() string { return BleedDetection }

// Sentences returns the verdict and how many findings of which kind there are.
func (p *Bleed) Sentences() []string {
	counts := map[string]int{}
	for _, f := range p.Findings {
		counts[f.Kind]++
	}
	var all []string
	if p.Verdict != "" {
		all = append(all, fmt.Sprintf("Verdict %s.", p.Verdict))
	}
	if p.VerificationID != "" {
		all = append(all, fmt.Sprintf("Check %s of the context before it reached a model.", p.VerificationID))
	}
	all = append(all, fmt.Sprintf("Directive %s, %s.", p.Directive, counted(len(p.Findings), "finding")))
	for _, kind := range sortedKeys(counts) {
		all = append(all, fmt.Sprintf("Found %s: %d.", kind, counts[kind]))
	}
	return all
}

func (p *Bleed) check(subject []Subject) error {
	if err := oneSubject(subjectManifest, subject); err != nil {
		return err
	}
	for i, f := range p.Findings {
		place := fmt.Sprintf("/findings/%d", i)
		switch {
		case !f.Element.valid():
			return wrong(place+"/element", "must be a commitment")
		case !slices.Contains(findings(), f.Kind):
			return wrong(place+"/kind", "must be a kind of finding")
		case f.Item != "" && (!f.Item.valid() || p.VerificationID == ""):
			return wrong(place+"/item", "must be a commitment, and of a segment")
		case f.Severity != severityHigh && f.Severity != severityMedium && f.Severity != severityLow:
			return wrong(place+"/severity", "must be %s, %s or %s", severityHigh, severityMedium, severityLow)
		}
	}
	if p.Directive != directiveHalt && p.Directive != directiveProceed {
		return wrong("/directive", "must be %s or %s", directiveHalt, directiveProceed)
	}
	if p.VerificationID != "" && p.Verdict == "" {
		return nil
	}
	return checkVerdict(p.Verdict)
}

func (p *Bleed) committed(see func(string, Commitment)) {
	name := discloseElement
	if p.VerificationID != "" {
		name = discloseSegment
	}
	for _, f := range p.Findings {
		see(name, f.Element)
		see(discloseItem, f.Item)
	}
}
