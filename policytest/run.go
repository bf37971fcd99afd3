package policytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/policy"
	"earshot/server/wire"
)

// decisionID is what every decision of a case is called, so that two runs give one answer.
const decisionID = "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2"

// Check holds c against engine and returns how what came of it differs from what c wants. The error
// means that c could not be held at all; it is a *CaseError where that is the fault of the file.
func Check(ctx context.Context, engine *policy.Engine, c *Case) (Difference, error) {
	body, err := c.Body()
	if err != nil {
		return Difference{}, fmt.Errorf("%s: write the request: %w", c.Name, err)
	}
	if err := c.checkCodes(engine); err != nil {
		return Difference{}, err
	}
	var recorder memory
	config := policy.Config{
		Engine:          engine,
		Recorder:        &recorder,
		HandoffRecorder: &recorder,
		Registry:        registry{of: c},
		Clock:           func() time.Time { return c.Now },
		NewID:           func() (string, error) { return decisionID, nil },
	}
	if c.Handoff != nil { // A decision has them from the registry.
		config.Seals = elementSeals{of: c, body: body}
	}
	point, err := policy.NewPoint(config)
	if err != nil {
		return Difference{}, fmt.Errorf("%s: %w", c.Name, err)
	}
	var got *told
	if c.Handoff != nil {
		got, err = handOff(ctx, point, body)
	} else {
		got, err = decide(ctx, point, body)
	}
	if wrong, ok := errors.AsType[*CaseError](err); ok {
		return Difference{}, wrong
	}
	if err != nil {
		if got, err = refusal(err, body); err != nil {
			return Difference{}, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	got.body = string(body)
	return c.compare(got, &recorder)
}

// told is what came of a request, as those who asked and those who audit can read it.
type told struct {
	outcome outcome

	// text is what those who asked read: the answer, or the problem document.
	text string

	// could is what might have come into the text by mistake: the answer in its fullest form, with all
	// that an auditor may see, or the body of what is refused.
	could string

	// body is what was posted.
	body string

	// names are the people whom only the fullest form names.
	names []string

	// entry is the one that the decision says it recorded, as JSON, with its outcome and its parts;
	// empty where nothing was decided.
	entry    string
	logged   outcome
	recorded Recorded

	// unsound says what is wrong with the admissions; empty where nothing is.
	unsound string
}

// compare returns how what came of a request differs from what the case wants.
func (c *Case) compare(got *told, recorder *memory) (Difference, error) {
	want := c.Want.outcome(&got.outcome)
	answer, recorded := compare("the answer is not the wanted one", want, got.outcome), c.Want.Recorded
	if answer.text != "" { // What is admitted is recorded so too, and that differs is said already.
		recorded = recorded.withoutResults()
	}
	diff := c.difference(
		answer,
		checkRecord(recorder, got, want),
		recorded.check(&got.recorded, got.entry),
		mismatch{text: got.unsound},
		checkNames(got),
		checkAbsent(c.Want.Absent, got.text),
	)
	if !diff.Holds() {
		return diff, nil
	}
	return Difference{}, c.checkCould(got)
}

// checkRecord compares the one entry that the recorder was given with the decision that came back,
// and with what the case wants. A refused request records nothing.
func checkRecord(recorder *memory, got *told, want outcome) mismatch {
	switch {
	case got.entry == "" && len(recorder.entries) > 0:
		return mismatch{text: fmt.Sprintf("a refused request recorded %d entries", len(recorder.entries))}
	case got.entry == "":
		return mismatch{}
	case len(recorder.entries) != 1:
		return mismatch{text: fmt.Sprintf("one decision recorded %d entries", len(recorder.entries))}
	case recorder.entries[0] != got.entry:
		return mismatch{text: fmt.Sprintf("the recorded entry is not the answered one (-answered +recorded):\n- %s\n+ %s", got.entry, recorder.entries[0])}
	case compare("", got.outcome, got.logged).text == "": // The log has the answer, and how that differs is said already.
		return mismatch{}
	default:
		return compare("the recorded entry has not the wanted answer", want, got.logged)
	}
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
	if !slices.Equal(want, have) {
		return fmt.Sprintf("the admissions are not the admitted results: %q and not %q", have, want)
	}
	return ""
}

// refusal returns what came of a request that was refused. An error that is no refusal is returned.
func refusal(err error, body []byte) (*told, error) {
	problem, ok := wire.AsError(err)
	if !ok {
		return nil, err
	}
	// What a caller reads besides follows from the code alone.
	text, err := wire.Marshal(struct {
		Code    string `json:"code"`
		Pointer string `json:"pointer"`
		Detail  string `json:"detail"`
	}{problem.Code, problem.Pointer, problem.Detail})
	if err != nil {
		return nil, fmt.Errorf("encode the refusal: %w", err)
	}
	return &told{
		outcome: outcome{Refused: &Refusal{Code: problem.Code, Pointer: problem.Pointer}},
		text:    string(text),
		could:   string(body),
	}, nil
}

// asJSON returns an entry as the recorder keeps it.
func asJSON(entry any) (string, error) {
	text, err := json.Marshal(entry)
	if err != nil {
		return "", fmt.Errorf("write the entry: %w", err)
	}
	return string(text), nil
}
