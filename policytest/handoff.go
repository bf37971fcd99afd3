package policytest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"earshot/policy"
	"earshot/server/wire"
)

// handOff is the way of a request for a hand-off from bytes to a recorded decision and its answer.
func handOff(ctx context.Context, point *policy.Point, body []byte) (*told, error) {
	request, err := wire.DecodeHandoff(body, wire.DefaultLimits())
	if err != nil {
		return nil, err
	}
	d, err := point.HandOff(ctx, request)
	if err != nil {
		return nil, err
	}
	text, err := wire.Marshal(wire.EncodeHandoff(d, nil))
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	got, err := readHandoffAnswer(text)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	details := make([]policy.Detail, len(d.Results))
	for i := range details {
		details[i] = point.ExplainHandoff(d, i)
	}
	fullest, err := wire.Marshal(wire.EncodeHandoff(d, details))
	if err != nil {
		return nil, fmt.Errorf("encode the explained answer: %w", err)
	}
	entry, err := asJSON(d.HandoffEntry)
	if err != nil {
		return nil, err
	}
	return &told{
		outcome:  got,
		text:     string(text),
		could:    string(fullest),
		entry:    entry,
		recorded: recordedOf(d.Request.Agent, "", "", nil, d.Results),
		logged: outcome{
			Verdict: string(d.Verdict), Directive: d.Directive, Digest: d.ManifestDigest, Results: resultsOf(d.Results),
		},
	}, nil
}

// handoffAnswer is what a caller reads back, as far as a case looks at it.
type handoffAnswer struct {
	Verdict        string `json:"verdict"`
	Directive      string `json:"directive"`
	ManifestDigest string `json:"manifest_digest"`
	Results        []struct {
		Position    int      `json:"position"`
		ElementID   string   `json:"element_id"`
		Admit       bool     `json:"admit"`
		Reasons     []string `json:"reasons"`
		Obligations []string `json:"obligations"`
	} `json:"results"`
	Counts struct {
		Admitted int `json:"admitted"`
		Denied   int `json:"denied"`
	} `json:"counts"`
}

// readHandoffAnswer reads an encoded answer. It fails where its parts contradict each other: a
// hand-off that halts admits nothing, and one that proceeds admits all.
func readHandoffAnswer(text []byte) (outcome, error) {
	var a handoffAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return outcome{}, err
	}
	out := outcome{Verdict: a.Verdict, Directive: a.Directive, Digest: a.ManifestDigest}
	proceeds := strings.HasPrefix(a.Directive, "PROCEED: ")
	if !proceeds && !strings.HasPrefix(a.Directive, "HALT: ") {
		return outcome{}, fmt.Errorf("the directive %q neither proceeds nor halts", a.Directive)
	}
	for i, r := range a.Results {
		if r.Position != i {
			return outcome{}, fmt.Errorf("result %d says it is at position %d", i, r.Position)
		}
		if r.Admit != proceeds {
			return outcome{}, fmt.Errorf("the directive is %q, and result %d says admit: %t", a.Directive, i, r.Admit)
		}
		out.Results = append(out.Results, Result{ID: r.ElementID, Admit: r.Admit, Reasons: r.Reasons, Obligations: r.Obligations})
	}
	admitted, denied := 0, len(a.Results)
	if proceeds {
		admitted, denied = denied, 0
	}
	if a.Counts.Admitted != admitted || a.Counts.Denied != denied {
		return outcome{}, fmt.Errorf("%d elements are admitted and %d denied, the answer counts %d and %d",
			admitted, denied, a.Counts.Admitted, a.Counts.Denied)
	}
	return out, nil
}
