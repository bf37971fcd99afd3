package policy_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"earshot/policy"
)

// Without an answer on the hand-off as a whole there is none, and nothing is recorded.
func TestHandoffWithoutItsHaltsIsUnavailable(t *testing.T) {
	files := embeddedFiles(t)
	files["earshot/handoff/gates/broken/broken.rego"] = file(`package earshot.handoff.gates.broken

halt contains "broken" if 1 / (count(input.handoff.authorized_agents) - 1) == 7
`)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	recorder := &handoffs{}
	d, err := handoffPoint(t, e, recorder).HandOff(t.Context(), inherit(nil))
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || len(recorder.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(recorder.entries))
	}
}

// A recorder cannot take an obligation off the answer.
func TestAHandoffRecorderCannotRelease(t *testing.T) {
	p := configured(t, func(c *policy.Config) {
		c.HandoffRecorder = handing(func(_ context.Context, e *policy.HandoffEntry) { e.Results[0].Obligations[0] = "none" })
	})
	d, err := p.HandOff(t.Context(), inherit(nil))
	if err != nil || !slices.Equal(d.Results[0].Obligations, []string{"label_source"}) {
		t.Errorf("got %+v, %v", d, err)
	}
}
