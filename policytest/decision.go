package policytest

import (
	"context"
	"fmt"
	"slices"

	"earshot/policy"
	"earshot/server/wire"
)

// decide is the way of a request from bytes to a recorded decision and its answer.
func decide(ctx context.Context, point *policy.Point, body []byte) (*told, error) {
	request, err := wire.DecodeDecision(body, wire.DefaultLimits())
	if err != nil {
		return nil, err
	}
	d, err := point.Decide(ctx, request)
	if err != nil {
		return nil, err
	}
	text, err := wire.Marshal(wire.EncodeDecision(d, nil))
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	got, err := readAnswer(text)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	turn := &d.Request.Turn
	out := &told{
		outcome:  got,
		text:     string(text),
		recorded: recordedOf(turn.Agent, turn.Channel, turn.Tenant, turn.Viewers, d.Results),
		logged: outcome{
			Viewers: &Viewers{Status: d.Viewers.Status(), Reasons: d.Viewers.Reasons},
			Verdict: string(d.Verdict), Directive: d.Directive, Results: resultsOf(d.Results),
		},
		unsound: checkAdmissions(point, d, got),
	}
	if out.entry, err = asJSON(d.Entry); err != nil {
		return nil, err
	}
	return out, out.addFullest(point, d, body)
}

// addFullest adds what the answer is where it is explained to an auditor, and whom it names then.
func (t *told) addFullest(point *policy.Point, d *policy.Decision, body []byte) error {
	details := make([]policy.Detail, len(d.Results))
	names := slices.Clone(d.Viewers.Present)
	var faulty []int
	for i := range details {
		details[i] = point.Explain(d, i)
		names = append(names, details[i].MissingViewers...)
		for _, s := range details[i].NarrowerSources {
			names = append(names, s.MissingViewers...)
		}
		if len(details[i].Faults) > 0 {
			faulty = append(faulty, i)
		}
	}
	fullest := wire.EncodeDecision(d, details)
	fullest.Viewers.Present = d.Viewers.Present
	text, err := wire.Marshal(fullest)
	if err != nil {
		return fmt.Errorf("encode the explained answer: %w", err)
	}
	t.could = string(text) + malformed(body, faulty)
	// An item may be called as a person is, and the caller is told of every item.
	t.names = slices.DeleteFunc(sorted(names), func(name string) bool {
		return slices.ContainsFunc(d.Results, func(r policy.Result) bool { return r.ID == name })
	})
	return nil
}
