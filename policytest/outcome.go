package policytest

import (
	"fmt"
	"strings"

	"earshot/policy"
)

// outcome is the part of an answer that a case asserts.
type outcome struct {
	Refused   *Refusal
	Viewers   *Viewers // nil for a hand-off
	Verdict   string
	Directive string
	Digest    string // of the manifest of a hand-off
	Results   []Result
}

// outcome returns what w wants of an answer. What it leaves open is as it came.
func (w *Want) outcome(got *outcome) outcome {
	want := outcome{
		Refused: w.Refused, Viewers: w.Viewers, Results: w.Results,
		Verdict: w.Verdict, Directive: w.Directive, Digest: w.ManifestDigest,
	}
	for _, part := range []struct{ wanted, came *string }{
		{&want.Verdict, &got.Verdict}, {&want.Directive, &got.Directive}, {&want.Digest, &got.Digest},
	} {
		if *part.wanted == "" {
			*part.wanted = *part.came
		}
	}
	return want
}

// lines returns the outcome as a case file states it, one part a line. Results answer by position,
// so the same line of two outcomes speaks of the same part.
func (o *outcome) lines() []string {
	if o.Refused != nil {
		return []string{fmt.Sprintf("refused: {code: %s, pointer: %q}", o.Refused.Code, o.Refused.Pointer)}
	}
	viewers := "viewers: none"
	if o.Viewers != nil {
		viewers = fmt.Sprintf("viewers: {status: %s, reasons: %s}", o.Viewers.Status, inBrackets(o.Viewers.Reasons))
	}
	lines := []string{viewers, "verdict: " + o.Verdict, "directive: " + o.Directive}
	if o.Digest != "" {
		lines = append(lines, "manifest_digest: "+o.Digest)
	}
	lines = append(lines, "results:")
	for _, r := range o.Results {
		line := fmt.Sprintf("  - {id: %q, admit: %t, reasons: %s", r.ID, r.Admit, inBrackets(r.Reasons))
		if len(r.Obligations) > 0 {
			line += ", obligations: " + inBrackets(r.Obligations)
		}
		lines = append(lines, line+"}")
	}
	return lines
}

func inBrackets(codes []string) string { return "[" + strings.Join(codes, ", ") + "]" }

// resultsOf returns the results of an entry as a case states them.
func resultsOf(results []policy.Result) []Result {
	out := make([]Result, len(results))
	for i, r := range results {
		out[i] = Result{ID: r.ID, Admit: r.Admit, Reasons: r.Reasons, Obligations: r.Obligations}
	}
	return out
}
