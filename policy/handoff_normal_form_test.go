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

// messy returns a hand-off in which nothing is in normal form.
func messy() policy.Handoff {
	return inherit(func(h *policy.Handoff) {
		h.Inheritance.AuthorizedAgents = []string{"agent:legal", "agent:intake", "agent:legal"}
		h.Boundary.PrivateTo = map[string][]string{"agent:billing": {"e2", "e1", "e2"}, "agent:legal": nil}
	})
}

func TestHandoffIsRecordedInNormalForm(t *testing.T) {
	recorder := &handoffs{}
	point := handoffPoint(t, embeddedEngine(t), recorder)
	given := messy()
	d, err := point.HandOff(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	want := messy()
	want.Profile = policy.ProfileStrict
	want.Inheritance.AuthorizedAgents = []string{"agent:intake", "agent:legal"}
	want.Boundary.PrivateTo = map[string][]string{"agent:billing": {"e1", "e2"}, "agent:legal": {}}
	if diff := cmp.Diff(want, recorder.entries[0].Request); diff != "" {
		t.Errorf("(-want +recorded):\n%s", diff)
	}
	if diff := cmp.Diff(messy(), given); diff != "" {
		t.Errorf("the argument (-as it was +changed):\n%s", diff)
	}
	given.Elements[0].ID = "another"
	if got := d.Request.Elements[0].ID; got != "e1" {
		t.Errorf("the decision follows its argument to %s", got)
	}

	if _, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Elements = nil
		h.Boundary.PrivateTo = map[string][]string{}
	})); err != nil {
		t.Fatal(err)
	}
	if got := recorder.entries[1].Request; got.Elements == nil || got.Boundary.PrivateTo != nil {
		t.Errorf("no elements are recorded as %#v, no owners as %#v", got.Elements, got.Boundary.PrivateTo)
	}

	// What is said of a boundary that is not stated counts for nothing, not even if it is wrong.
	if _, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Boundary = policy.Boundary{SharedSubstrate: policy.SubstrateSeparate, SingleSource: "*"}
	})); err != nil {
		t.Fatal(err)
	}
	if got := recorder.entries[2].Request.Boundary; !cmp.Equal(got, policy.Boundary{}) {
		t.Errorf("a boundary that is not stated is recorded as %+v", got)
	}
}

func TestHandoffRefusalsPointAtThePlace(t *testing.T) {
	for pointer, change := range map[string]func(h *policy.Handoff){
		"/agent_id":                          func(h *policy.Handoff) { h.Agent = "tenant" },
		"/elements/1/element_id":             func(h *policy.Handoff) { h.Elements = append(h.Elements, own("e 2")) },
		"/elements/0/source_agent_id":        func(h *policy.Handoff) { h.Elements[0].Source = "public" },
		"/boundary/single_source":            func(h *policy.Handoff) { h.Boundary.SingleSource = "*" },
		"/boundary/private_to/a~0~1b/1":      func(h *policy.Handoff) { h.Boundary.PrivateTo = map[string][]string{"a~/b": {"e1", ""}} },
		"/boundary/private_to/agent ~1~0~01": func(h *policy.Handoff) { h.Boundary.PrivateTo = map[string][]string{"agent /~~1": nil} },
		"/authorized_shared_agents/1":        func(h *policy.Handoff) { h.Inheritance.AuthorizedAgents = []string{"agent:intake", ""} },
	} {
		recorder := &handoffs{}
		_, err := handoffPoint(t, embeddedEngine(t), recorder).HandOff(t.Context(), inherit(change))
		invalid, ok := errors.AsType[*policy.InvalidError](err)
		if !ok || invalid.Pointer != pointer || len(recorder.entries) != 0 {
			t.Errorf("got %v with %d entries, want %s", err, len(recorder.entries), pointer)
		}
	}
}

// Another program made this digest. It has every field with a value that no other field has.
func TestManifestOfEveryFieldByAnother(t *testing.T) {
	h := policy.Handoff{
		Agent: "agent:billing", Profile: policy.ProfileStrict,
		Elements: []policy.Element{
			{
				ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: policy.KindFact,
				Digest: "sha256:" + strings.Repeat("0", 64),
			},
			{ID: "e2", Kind: "prior"},
		},
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:intake", "agent:legal"}, AllowConfidential: true},
		Boundary: policy.Boundary{
			Stated: true, SharedSubstrate: policy.SubstrateSeparate, SingleSource: "agent:intake",
			PrivateTo: map[string][]string{"agent:z": {"e1"}, "agent:é": {"e9"}, "agent:a": {"e7", "e8"}, "agent:billing": {}},
		},
	}
	got, err := policy.HandoffManifest(&policy.HandoffEntry{
		PolicyRevision: "sha256:2", Request: h, Verdict: policy.BleedDetected,
		Results: []policy.Result{admitted("e1", "authorized_sharing", "label_source"), denied("e2", "a", "b")},
	})
	const want = "cfdfb93cc349098eacf3b045016a99138f5639f1d1d1dcb893646064cc8790e9"
	if err != nil || got != want {
		t.Errorf("digest %s, %v, want %s", got, err, want)
	}
}

// widening is a recorder that changes what it is given.
type widening struct{ handoffs }

func (*widening) RecordHandoff(_ context.Context, e *policy.HandoffEntry) (policy.Position, error) {
	e.Results[0].Admit, e.Results[0].Reasons[0] = true, "public"
	return policy.Position{}, nil
}

func TestAHandoffRecorderCannotAdmit(t *testing.T) {
	p, err := policy.NewPoint(policy.Config{
		Engine: embeddedEngine(t), Recorder: &handoffs{}, HandoffRecorder: &widening{},
		Clock: func() time.Time { return noon }, NewID: func() (string, error) { return "1", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.HandOff(t.Context(), inherit(func(h *policy.Handoff) { h.Elements[0].Shared = false }))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]policy.Result{denied("e1", "unshared_from_other_agent")}, d.Results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
