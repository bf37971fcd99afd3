package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Detail explains one result. It names people, so it is for those who may see them.
type Detail struct {
	// Faults are what is wrong with the candidate's form.
	Faults []Fault

	// MissingViewers are the viewers outside the declared audience, sorted.
	MissingViewers []string

	// NarrowerSources are the sources that do not cover every viewer.
	NarrowerSources []NarrowerSource

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

// Rule is the place of a reason in the policy, from its METADATA.
type Rule struct {
	Code        string
	Title       string
	Description string

	// Package is the Rego path, such as data.earshot.rules.revoked.
	Package string

	// File and Row lead an author to the rule; the path is inside the bundle.
	File string
	Row  int
}

// explain gathers the details of the result at position.
func (e *Engine) explain(entry *Entry, position int) Detail {
	c := &entry.Request.Candidates[position]
	result := &entry.Results[position]
	d := Detail{Faults: c.Faults}
	if slices.Contains(result.Reasons, codeViewerNotInAudience) {
		d.MissingViewers = missing(c.Audience, entry.Viewers.Present)
	}
	if slices.Contains(result.Reasons, codeSourceNarrower) {
		for _, s := range c.Sources {
			if !bounds(s.Audience, entry.Viewers.Present, false) {
				d.NarrowerSources = append(d.NarrowerSources, NarrowerSource{
					ID:             s.ID,
					MissingViewers: missing(s.Audience, entry.Viewers.Present),
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

// rulesOf reads the place and the words of every reason from the METADATA of its rule.
func rulesOf(c *ast.Compiler) map[string]Rule {
	rules := map[string]Rule{}
	for _, ref := range c.GetAnnotationSet().Flatten() {
		code, ok := ref.Annotations.Custom["code"].(string)
		if !ok {
			continue
		}
		pkg := ref.Path
		if ref.GetRule() != nil {
			pkg = ref.GetPackage().Path
		}
		if pkg.HasPrefix(ast.MustParseRef("data.local")) {
			code = localNamespace + code
		}
		rules[code] = Rule{
			Code:        code,
			Title:       ref.Annotations.Title,
			Description: ref.Annotations.Description,
			Package:     pkg.String(),
			File:        inBundle(ref.Location.File),
			Row:         ref.Location.Row,
		}
	}
	return rules
}
