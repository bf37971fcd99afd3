package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/topdown"
)

// evaluateHandoff fills in verdict, directive and results of a hand-off in the strict profile, whose
// request is in normal form. It returns what went wrong inside the policy, one failure for each
// CodePolicyError among the results.
func (e *Engine) evaluateHandoff(ctx context.Context, entry *HandoffEntry) ([]Failure, error) {
	cancel := topdown.NewCancel()
	defer context.AfterFunc(ctx, cancel.Cancel)()

	in := newHandoffInput(entry)
	answer, err := ask(ctx, e.halts, in.handoffOnly(), cancel)
	if err != nil {
		return nil, unavailable(ctx, inBundleError(err))
	}
	halts, ok := readCodes(answer)
	if !ok {
		return nil, unavailable(ctx, errors.New("the policy's answer on the hand-off is not a set of codes"))
	}
	var failures []Failure
	entry.Results = make([]Result, len(entry.Request.Elements))
	for i := range entry.Request.Elements {
		result, err := e.oneElement(ctx, in, i, cancel)
		if ctx.Err() != nil {
			return nil, unavailable(ctx, ctx.Err())
		}
		if err != nil {
			failures = append(failures, Failure{Position: i, Cause: err})
			result = deny(CodePolicyError)
		}
		if result.Admit && !e.mayInherit(entry, i, in.owners, result.Obligations) {
			result = deny(CodeInvariantViolation)
		}
		result.ID = entry.Request.Elements[i].ID
		entry.Results[i] = result
	}
	entry.Verdict, entry.Directive = judgeHandoff(&entry.Request, halts, entry.Results)
	if strings.HasPrefix(entry.Directive, directiveHalt) {
		halt(entry.Results)
	}
	return failures, nil
}

// halt denies what no gate held back: a hand-off that halts admits nothing.
func halt(results []Result) {
	for i := range results {
		if results[i].Admit {
			results[i] = Result{ID: results[i].ID, Reasons: []string{CodeHandoffHalted}}
		}
	}
}

func (e *Engine) oneElement(ctx context.Context, in *handoffInput, position int, cancel topdown.Cancel) (Result, error) {
	answer, err := ask(ctx, e.handoff, in.element(position), cancel)
	if err != nil {
		return Result{}, inBundleError(err)
	}
	return readResult(answer)
}

// explainHandoff gathers the details of the result at position. A gate of the reference profile
// stands in no policy, so it has none.
func (e *Engine) explainHandoff(decision *HandoffDecision, position int) Detail {
	var d Detail
	for _, failure := range decision.Failures {
		if failure.Position == position {
			d.Failure = failure.Cause.Error()
		}
	}
	if decision.Request.Profile == ProfileReference {
		return d
	}
	for _, code := range decision.Results[position].Reasons {
		if rule, ok := e.gates[code]; ok {
			d.Rules = append(d.Rules, rule)
		}
	}
	return d
}

// checkHandoffCanaries decides a hand-off whose answer no policy may change, as checkCanaries does.
func (e *Engine) checkHandoffCanaries(ctx context.Context) error {
	entry := &HandoffEntry{Request: Handoff{
		Agent:    "canary:agent",
		Boundary: Boundary{Stated: true},
		Elements: []Element{
			{ID: "own", Source: "canary:agent", Kind: KindFact},
			{ID: "kept", Source: "canary:other", Confidential: NotConfidential, Kind: KindFact},
			{ID: "nobody's", Confidential: Confidential, Kind: KindFact},
		},
	}}
	failures, err := e.evaluateHandoff(ctx, entry)
	if err != nil {
		return fmt.Errorf("self-check: %w", err)
	}
	for _, failure := range failures {
		return fmt.Errorf("self-check: %w", failure.Cause)
	}
	for i := range entry.Results {
		if slices.Contains(entry.Results[i].Reasons, CodeInvariantViolation) {
			return fmt.Errorf("self-check: the hand-off of the element %q to canary:agent gives %s",
				entry.Results[i].ID, CodeInvariantViolation)
		}
	}
	return nil
}
