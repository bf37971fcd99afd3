package policytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/server/wire"
)

// decisionID is what every decision of a case is called, so that two runs give one answer.
const decisionID = "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2"

// Check holds c against engine and returns how the answer differs from what c wants, in the form
// of a diff; empty where c holds. The error means that c could not be held at all.
func Check(ctx context.Context, engine *policy.Engine, c *Case) (diff string, err error) {
	body, err := c.Body()
	if err != nil {
		return "", fmt.Errorf("%s: write the request: %w", c.Name, err)
	}
	var recorder memory
	point, err := policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: &recorder,
		Registry: registry{of: c},
		Clock:    func() time.Time { return c.Now },
		NewID:    func() (string, error) { return decisionID, nil },
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}

	decision, err := decide(ctx, point, body)
	if wrong, ok := errors.AsType[*CaseError](err); ok {
		return "", wrong
	}
	if err != nil {
		return checkRefusal(c, err, len(recorder.entries))
	}
	answer, err := wire.Marshal(wire.EncodeDecision(decision, nil))
	if err != nil {
		return "", fmt.Errorf("%s: encode the answer: %w", c.Name, err)
	}
	got, err := readAnswer(answer)
	if err != nil {
		return "", fmt.Errorf("%s: read the answer: %w", c.Name, err)
	}

	want := c.Want.outcome()
	if want.Verdict == "" {
		want.Verdict = got.Verdict
	}
	return strings.Join(nonEmpty(
		compare(want, got),
		c.Want.unknownCodes(engine),
		checkRecord(&recorder, decision),
		c.Want.Recorded.check(&decision.Entry, strings.Join(recorder.entries, "\n")),
		checkAdmissions(point, decision, got),
		checkAbsent(c.Want.Absent, string(answer)),
	), "\n"), nil
}

// decide is the way of a request from bytes to a recorded decision.
func decide(ctx context.Context, point *policy.Point, body []byte) (*policy.Decision, error) {
	request, err := wire.DecodeDecision(body, wire.DefaultLimits())
	if err != nil {
		return nil, err
	}
	return point.Decide(ctx, request)
}

// outcome is the part of an answer that a case asserts.
type outcome struct {
	Refused *Refusal
	Viewers *Viewers
	Results []Result
	Verdict string
}

func (w *Want) outcome() outcome {
	return outcome{Refused: w.Refused, Viewers: w.Viewers, Results: w.Results, Verdict: w.Verdict}
}

// checkRefusal compares an error with the refusal that c wants. A refused request records nothing.
func checkRefusal(c *Case, err error, recorded int) (string, error) {
	refusal, ok := wire.AsError(err)
	if !ok {
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}
	got := outcome{Refused: &Refusal{Code: refusal.Code, Pointer: refusal.Pointer}}
	record := ""
	if recorded != 0 {
		record = fmt.Sprintf("a refused request recorded %d entries", recorded)
	}
	return strings.Join(nonEmpty(compare(c.Want.outcome(), got), record, checkAbsent(c.Want.Absent, err.Error())), "\n"), nil
}

// checkRecord compares the one entry that the recorder was given with the decision that came back.
func checkRecord(recorder *memory, d *policy.Decision) string {
	if len(recorder.entries) != 1 {
		return fmt.Sprintf("one decision recorded %d entries", len(recorder.entries))
	}
	answered, err := json.Marshal(d.Entry)
	if err != nil {
		return fmt.Sprintf("the answered entry: %v", err)
	}
	if diff := cmp.Diff(string(answered), recorder.entries[0]); diff != "" {
		return "the recorded entry is not the answered one (-answered +recorded):\n" + diff
	}
	return ""
}

// checkAdmissions compares the admissions of a decision with the results that admit.
func checkAdmissions(point *policy.Point, d *policy.Decision, got outcome) string {
	var want, have []string
	for i := range got.Results {
		if got.Results[i].Admit {
			want = append(want, got.Results[i].ID)
		}
	}
	for _, a := range d.Admitted() {
		if !a.Valid(point) || a.DecisionID() != d.ID {
			return fmt.Sprintf("the admission of %q is not one of this decision", a.ItemID())
		}
		have = append(have, a.ItemID())
	}
	if diff := cmp.Diff(want, have); diff != "" {
		return "the admissions are not the admitted results (-results +admissions):\n" + diff
	}
	return ""
}

func checkAbsent(absent []string, answer string) string {
	for _, s := range absent {
		if strings.Contains(answer, s) {
			return fmt.Sprintf("the answer holds %q, which must not appear:\n%s", s, answer)
		}
	}
	return ""
}

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}
