package policy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// handing is a recorder of hand-offs that is a function.
type handing func(context.Context, *policy.HandoffEntry)

func (f handing) RecordHandoff(ctx context.Context, e *policy.HandoffEntry) (policy.Position, error) {
	f(ctx, e)
	return policy.Position{}, nil
}

func TestHandoffRecordsForACallerWhoHangsUp(t *testing.T) {
	ctx, hangUp := context.WithCancel(t.Context())
	recorded := 0
	p := configured(t, func(c *policy.Config) {
		c.CommitTimeout = time.Hour
		c.HandoffRecorder = handing(func(commit context.Context, _ *policy.HandoffEntry) {
			hangUp()
			recorded++
			if err := commit.Err(); err != nil {
				t.Errorf("the commit ended with the caller: %v", err)
			}
			if deadline, bounded := commit.Deadline(); !bounded || deadline.After(time.Now().Add(time.Hour)) {
				t.Errorf("the commit has the deadline %v", deadline)
			}
		})
	})
	if _, err := p.HandOff(ctx, inherit(nil)); err != nil || recorded != 1 {
		t.Errorf("error %v, recorded %d times", err, recorded)
	}
}

// A caller who is gone gets its own error; a policy that is out of time is unavailable.
func TestHandoffIsNotDecidedOutOfTime(t *testing.T) {
	recorder := handing(func(context.Context, *policy.HandoffEntry) { t.Error("it was recorded") })
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	p := configured(t, func(c *policy.Config) { c.HandoffRecorder = recorder })
	if d, err := p.HandOff(gone, inherit(nil)); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("gone: %v, %v", d, err)
	}
	p = configured(t, func(c *policy.Config) { c.HandoffRecorder, c.DecideTimeout = recorder, time.Nanosecond })
	if d, err := p.HandOff(t.Context(), inherit(nil)); d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) {
		t.Errorf("out of time: %v, %v", d, err)
	}
}

func TestAHandoffEntrySaysWhen(t *testing.T) {
	var at time.Time
	p := configured(t, func(c *policy.Config) {
		c.HandoffRecorder = handing(func(_ context.Context, e *policy.HandoffEntry) { at = e.At })
		c.Clock = func() time.Time { return noon.Add(123_456_999).In(time.FixedZone("", 3600)) }
	})
	if _, err := p.HandOff(t.Context(), inherit(nil)); err != nil {
		t.Fatal(err)
	}
	if want := noon.Add(123_456_000); !at.Equal(want) || at.Location() != time.UTC {
		t.Errorf("at %v, want %v", at, want)
	}
}

func TestHandoffNeedsAnID(t *testing.T) {
	cause := errors.New("no random numbers")
	p := configured(t, func(c *policy.Config) {
		c.HandoffRecorder = handing(func(context.Context, *policy.HandoffEntry) { t.Error("it was recorded") })
		c.NewID = func() (string, error) { return "", cause }
	})
	if d, err := p.HandOff(t.Context(), inherit(nil)); d != nil || !errors.Is(err, cause) {
		t.Errorf("got %v, %v", d, err)
	}
}

// Each failure of a gate is told where it happened; the gates of the reference stand in no policy.
func TestExplainHandoffTellsFailuresApart(t *testing.T) {
	files := embeddedFiles(t)
	files["earshot/handoff/gates/broken/broken.rego"] = file(`package earshot.handoff.gates.broken

forbid contains "broken" if {
	startswith(input.element.id, "trap")
	1 / (count(input.element.private_to) * 0) == 1
}
`)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	p := handoffPoint(t, e, &handoffs{})
	ask := func(profile policy.Profile) *policy.HandoffDecision {
		d, err := p.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
			h.Profile = profile
			h.Elements[0].Confidential = policy.Confidential
			h.Elements = append(h.Elements, own("trap-1"), own("e3"), own("trap-2"))
		}))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := ask(policy.ProfileStrict)
	var at []int
	for _, failure := range d.Failures {
		at = append(at, failure.Position)
	}
	if diff := cmp.Diff([]int{1, 3}, at); diff != "" {
		t.Errorf("positions of the failures (-want +got):\n%s", diff)
	}
	for i := range d.Results {
		if got := p.ExplainHandoff(d, i).Failure; strings.Contains(got, "divide by zero") != (i == 1 || i == 3) {
			t.Errorf("position %d is explained as %q", i, got)
		}
	}
	if rules := p.ExplainHandoff(d, 0).Rules; len(rules) != 1 || rules[0].Code != "confidential_from_other_agent" {
		t.Errorf("the rules of the first are %+v", rules)
	}
	if rules := p.ExplainHandoff(ask(policy.ProfileReference), 0).Rules; rules != nil {
		t.Errorf("the reference is explained by %+v", rules)
	}
}
