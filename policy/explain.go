package policy

import "slices"

// Detail explains one result. It names people, so it is for those who may see them.
type Detail struct {
	// Faults are what is wrong with the candidate's form.
	Faults []Fault

	// MissingViewers are the viewers outside the declared audience, sorted.
	MissingViewers []string

	// NarrowerSources are the sources that do not cover every viewer.
	NarrowerSources []NarrowerSource

	// SealDiffers is what made the seal invalid, in the form of SealCheck.Differs.
	SealDiffers string

	// Failure is what went wrong inside the policy; empty unless the reason is CodePolicyError.
	Failure string

	// Rules has one element for each reason, in their order, where the policy states one.
	Rules []Rule
}

// NarrowerSource is a source whose audience leaves viewers out.
type NarrowerSource struct {
	// ID is the source's id; empty where it has none.
	ID string

	// MissingViewers are the viewers outside the source's audience, sorted.
	MissingViewers []string
}

// explain gathers the details of the result at position.
func (e *Engine) explain(decision *Decision, position int) Detail {
	c := &decision.Request.Candidates[position]
	result := &decision.Results[position]
	d := Detail{Faults: c.Faults, SealDiffers: decision.Facts.Seals[position].Differs}
	for _, failure := range decision.Failures {
		if failure.Position == position {
			d.Failure = failure.Cause.Error()
		}
	}
	if slices.Contains(result.Reasons, codeViewerNotInAudience) {
		d.MissingViewers = missing(c.Audience, decision.Viewers.Present)
	}
	if slices.Contains(result.Reasons, codeSourceNarrower) {
		for _, s := range c.Sources {
			if !bounds(s.Audience, decision.Viewers.Present, false) {
				d.NarrowerSources = append(d.NarrowerSources, NarrowerSource{
					ID:             s.ID,
					MissingViewers: missing(s.Audience, decision.Viewers.Present),
				})
			}
		}
	}
	for _, code := range result.Reasons {
		if rule, ok := e.rules[code]; ok {
			d.Rules = append(d.Rules, rule)
		}
	}
	return d
}
