package policytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/policy"
	"earshot/server/wire"
)

// decisionID is what every decision of a case is called, so that two runs give one answer.
const decisionID = "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2"

// Check holds c against engine and returns how the answer differs from what c wants, in the form
// of a diff; empty where c holds. The error means that c could not be held at all; it is a *CaseError
// where that is the fault of the file.
func Check(ctx context.Context, engine *policy.Engine, c *Case) (diff string, err error) {
	body, err := c.Body()
	if err != nil {
		return "", fmt.Errorf("%s: write the request: %w", c.Name, err)
	}
	if err := c.checkCodes(engine); err != nil {
		return "", err
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
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}
	var got *told
	if c.Handoff != nil {
		got, err = handOff(ctx, point, body)
	} else {
		got, err = decide(ctx, point, body)
	}
	if wrong, ok := errors.AsType[*CaseError](err); ok {
		return "", wrong
	}
	if err != nil {
		if got, err = refusal(err, body); err != nil {
			return "", fmt.Errorf("%s: %w", c.Name, err)
		}
	}
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
func (c *Case) compare(got *told, recorder *memory) (diff string, err error) {
	want := c.Want.outcome(&got.outcome)
	diff = strings.Join(nonEmpty(
		compare("the answer is not the wanted one", want, got.outcome),
		checkRecord(recorder, got, want),
		c.Want.Recorded.check(&got.recorded, got.entry),
		got.unsound,
		checkNames(got),
		checkAbsent(c.Want.Absent, got.text),
	), "\n")
	if diff != "" {
		return diff, nil
	}
	return "", c.checkCould(got)
}

// checkRecord compares the one entry that the recorder was given with the decision that came back,
// and with what the case wants. A refused request records nothing.
func checkRecord(recorder *memory, got *told, want outcome) string {
	switch {
	case got.entry == "" && len(recorder.entries) > 0:
		return fmt.Sprintf("a refused request recorded %d entries", len(recorder.entries))
	case got.entry == "":
		return ""
	case len(recorder.entries) != 1:
		return fmt.Sprintf("one decision recorded %d entries", len(recorder.entries))
	case recorder.entries[0] != got.entry:
		return fmt.Sprintf("the recorded entry is not the answered one (-answered +recorded):\n- %s\n+ %s", got.entry, recorder.entries[0])
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

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
