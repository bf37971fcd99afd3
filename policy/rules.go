package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

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

// Rules returns the rules of the policy that state a code in their METADATA, the gates of a hand-off
// among them, sorted by file and row.
func (e *Engine) Rules() []Rule {
	all := slices.AppendSeq(slices.Collect(maps.Values(e.rules)), maps.Values(e.gates))
	slices.SortFunc(all, func(a, b Rule) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row))
	})
	return all
}

// readRules returns the rules of a policy and the gates of a hand-off, by code. A code may be both:
// it says the same of a candidate and of an element. Its errors are what makes a reason in the log
// mean nothing, or something else than it says: a code that two rules share, a rule without words,
// a rule where nobody looks for it, a rule of the wire contract that is not there.
func readRules(c *ast.Compiler) (rules, gates map[string]Rule, err error) {
	problems := strayRules(c)
	rules, gates = map[string]Rule{}, map[string]Rule{}
	for _, ref := range c.GetAnnotationSet().Flatten() {
		code, ok := ref.Annotations.Custom["code"].(string)
		if !ok {
			continue
		}
		problem := func(format string, args ...any) {
			problems = append(problems, ast.NewError(ast.CompileErr, ref.Location, format, args...))
		}
		pkg := ref.Path
		if ref.GetRule() != nil {
			pkg = ref.GetPackage().Path
		}
		if !isCode(code) {
			problem("the code %q is not in snake_case: use a-z, 0-9 and _", code)
		}
		if ref.Annotations.Title == "" || ref.Annotations.Description == "" {
			problem("the METADATA of the code %q needs a title and a description", code)
		}
		if pkg.HasPrefix(ast.MustParseRef("data.local")) {
			code = localNamespace + code
		}
		home := rules
		if pkg.HasPrefix(ast.MustParseRef("data.earshot.handoff")) {
			home = gates
		}
		if other, taken := home[code]; taken && other.Package != pkg.String() {
			problem("the code %q is that of %s:%d already", code, other.File, other.Row)
			continue
		}
		home[code] = Rule{
			Code:        code,
			Title:       ref.Annotations.Title,
			Description: ref.Annotations.Description,
			Package:     pkg.String(),
			File:        inBundle(ref.Location.File),
			Row:         ref.Location.Row,
		}
	}
	if len(problems) > 0 {
		return nil, nil, describe(problems)
	}
	for _, code := range contractCodes() {
		if _, ok := rules[code]; !ok {
			return nil, nil, fmt.Errorf("no rule states the code %q, which callers rely on; restore it from the embedded policy", code)
		}
	}
	for _, code := range handoffCodes() {
		if _, ok := gates[code]; !ok {
			return nil, nil, fmt.Errorf("no gate of a hand-off states the code %q, which callers rely on; restore it from the embedded policy", code)
		}
	}
	return rules, gates, nil
}

// isCode reports whether s is snake_case.
func isCode(s string) bool {
	return s != "" && s[0] >= 'a' && s[0] <= 'z' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// contractCodes are the forbids and the doubts of the wire contract. A bundle that lacks one would
// answer less than callers were promised.
func contractCodes() []string {
	return []string{
		"viewers_missing", "viewers_empty", "viewer_placeholder", "viewers_not_authenticated",
		"evidence_disagrees", "evidence_incomplete", "evidence_stale", "external_not_viewer",
		"roster_disagrees",

		"viewers_ambiguous", codeViewerNotInAudience, codeSourceNarrower, "audience_missing",
		"audience_not_recorded", "external_viewer", "revoked", "derived_without_sources",
		"item_not_live", "source_not_live", "expired", "tenant_mismatch", codeUnattributed,
		codeConfidential, codeUnshared, codeAgentNotAuthorized, codeForeignDirective,
		CodeMalformed, CodeUnknownField, "seal_invalid", "seal_required", "digest_mismatch",
	}
}

// handoffCodes are the gates of the strict profile, as contractCodes are those of a decision.
func handoffCodes() []string {
	return []string{
		codeConfidential, codeUnattributed, codeUnshared, codeAgentNotAuthorized, codeForeignDirective,
		codePrivate, codeBoundaryUndefined, codeChainTooLong, "derived_without_sources",
		"seal_invalid", "seal_required", "digest_mismatch", obligationLabelSource,
	}
}
