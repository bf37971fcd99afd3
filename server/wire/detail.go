package wire

import "earshot/policy"

// Detail explains one result. The lists other than Faults name people and places in the policy:
// they are nil unless the caller asked for an explanation.
type Detail struct {
	Faults          []Fault          `json:"faults"`
	MissingViewers  []string         `json:"missing_viewers,omitzero"`
	NarrowerSources []NarrowerSource `json:"narrower_sources,omitzero"`

	// SealDiffers is what made the seal invalid: a label, or signature, issued_at, expires_at, labels.
	SealDiffers string `json:"seal_differs,omitzero"`

	// Failure is what went wrong inside the policy; empty unless the reason is policy_error.
	Failure string `json:"failure,omitzero"`

	Rules []Rule `json:"rules,omitzero"`
}

// Fault is one way in which a candidate does not fit the contract.
type Fault struct {
	Code    string `json:"code"`
	Field   string `json:"field"` // such as sources/0/agent; empty for the candidate as a whole
	Problem string `json:"problem"`
}

// NarrowerSource is a source whose audience leaves viewers out.
type NarrowerSource struct {
	ID             string   `json:"id"`
	MissingViewers []string `json:"missing_viewers"`
}

// Rule is the place of a reason in the policy.
type Rule struct {
	Code        string `json:"code"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Package     string `json:"package"`
	File        string `json:"file"` // inside the bundle
	Row         int    `json:"row"`
}

func explain(d *policy.Detail) *Detail {
	out := &Detail{
		Faults:          faultList(d.Faults),
		MissingViewers:  full(d.MissingViewers),
		NarrowerSources: make([]NarrowerSource, len(d.NarrowerSources)),
		SealDiffers:     d.SealDiffers,
		Failure:         d.Failure,
		Rules:           make([]Rule, len(d.Rules)),
	}
	for i, s := range d.NarrowerSources {
		out.NarrowerSources[i] = NarrowerSource{ID: s.ID, MissingViewers: full(s.MissingViewers)}
	}
	for i, rule := range d.Rules {
		out.Rules[i] = Rule(rule)
	}
	return out
}

func faultList(faults []policy.Fault) []Fault {
	out := make([]Fault, len(faults))
	for i, f := range faults {
		out[i] = Fault(f)
	}
	return out
}
