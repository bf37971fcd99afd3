package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// The engine's own test holds whatever the gates say.
func TestGatesCannotWidenAHandoff(t *testing.T) {
	files := embeddedFiles(t)
	files["earshot/handoff/handoff.rego"] = file(`# METADATA
# scope: subpackages
# schemas:
#   - input: schema.handoff
package earshot.handoff

halts := set()

decision := {"admit": true, "permits": {"yes"}, "forbids": set(), "obligations": {"label_source"}} if {
	input.handoff.agent != "canary:agent"
} else := {"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}
`)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	point := handoffPoint(t, e, &handoffs{})
	for name, change := range map[string]func(h *policy.Handoff){
		"not shared":     func(h *policy.Handoff) { h.Elements[0].Shared = false },
		"not authorised": func(h *policy.Handoff) { h.Inheritance.AuthorizedAgents = nil },
		"confidential":   func(h *policy.Handoff) { h.Elements[0].Confidential = policy.ConfidentialityUnstated },
		"a directive":    func(h *policy.Handoff) { h.Elements[0].Kind = "directive" },
		"private":        func(h *policy.Handoff) { h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e1"}} },
		"no boundary":    func(h *policy.Handoff) { h.Boundary = policy.Boundary{} },
		"nobody's":       func(h *policy.Handoff) { h.Elements[0].Source = "" },
		"nobody's, and attribution not required": func(h *policy.Handoff) {
			h.Elements[0].Source = ""
			h.Inheritance.AllowUnattributed = true
		},
		"through a stranger":   func(h *policy.Handoff) { h.Elements[0].InheritedVia = []string{"agent:legal"} },
		"through many":         func(h *policy.Handoff) { h.Elements[0].InheritedVia = slices.Repeat([]string{"agent:intake"}, 6) },
		"a seal":               func(h *policy.Handoff) { h.Elements[0].Seal = "a.b.c" },
		"derived from nothing": func(h *policy.Handoff) { h.Elements[0].Kind = "summary" },
		"an own directive that came back": func(h *policy.Handoff) {
			h.Elements[0].Source, h.Elements[0].Kind = "agent:billing", "directive"
			h.Elements[0].InheritedVia = []string{"agent:intake"}
		},
		"over what is not shared":     func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Shared = false }) },
		"over what is not authorised": func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Source = "agent:legal" }) },
		"over nobody's":               func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Source = "" }) },
		"over a directive":            func(h *policy.Handoff) { derive(h, func(s *policy.ElementSource) { s.Kind = "directive" }) },
		"over a confidential one": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.Confidential = policy.Confidential })
		},
		"over one through a stranger": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.InheritedVia = []string{"agent:legal"} })
		},
		"over one through many": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.InheritedVia = slices.Repeat([]string{"agent:intake"}, 6) })
		},
		"over a private one": func(h *policy.Handoff) {
			derive(h, nil)
			h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"s1"}}
		},
		"own, over a confidential one": func(h *policy.Handoff) {
			derive(h, func(s *policy.ElementSource) { s.Confidential = policy.Confidential })
			h.Elements[0].Source = "agent:billing"
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := point.HandOff(t.Context(), inherit(change))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]policy.Result{denied("e1", policy.CodeInvariantViolation)}, d.Results); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if d.Verdict != policy.BleedDetected || !strings.HasPrefix(d.Directive, "HALT: ") {
				t.Errorf("%s, %s", d.Verdict, d.Directive)
			}
		})
	}
	d, err := point.HandOff(t.Context(), inherit(nil))
	if err != nil || !d.Results[0].Admit {
		t.Errorf("what may pass does not: %+v, %v", d, err)
	}
}

// A gate that gives no usable answer denies, and says so.
func TestGateWithoutAnAnswerHalts(t *testing.T) {
	files := embeddedFiles(t)
	files["earshot/handoff/gates/broken/broken.rego"] = file(`package earshot.handoff.gates.broken

forbid contains "broken" if {
	input.element.id == "e1"
	1 / (count(input.element.private_to) * 0) == 1
}
`)
	e, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	d, err := handoffPoint(t, e, &handoffs{}).HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Elements = append(h.Elements, own("e2"))
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []policy.Result{denied("e1", policy.CodePolicyError), denied("e2", "handoff_halted")}
	if diff := cmp.Diff(want, d.Results); diff != "" || len(d.Failures) != 1 || d.Failures[0].Position != 0 {
		t.Errorf("failures %v (-want +got):\n%s", d.Failures, diff)
	}
}

func TestHandoffIsRecordedFirst(t *testing.T) {
	recorder := &handoffs{}
	point := handoffPoint(t, embeddedEngine(t), recorder)
	d, err := point.HandOff(t.Context(), inherit(nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.HandoffEntry, *recorder.entries[0]); diff != "" {
		t.Errorf("(-answered +recorded):\n%s", diff)
	}
	recorder.refuse = errors.New("disk full")
	for _, profile := range []policy.Profile{policy.ProfileStrict, policy.ProfileReference} {
		d, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) { h.Profile = profile }))
		if d != nil || !errors.Is(err, policy.ErrNotRecorded) || !errors.Is(err, recorder.refuse) {
			t.Errorf("%s: %v, %v, want ErrNotRecorded", profile, d, err)
		}
	}
}

func TestHandoffWithoutARecorderIsNotAnswered(t *testing.T) {
	p, err := policy.NewPoint(policy.Config{
		Engine: embeddedEngine(t), Recorder: &handoffs{}, Clock: time.Now, NewID: func() (string, error) { return "1", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := p.HandOff(t.Context(), inherit(nil)); d != nil || !errors.Is(err, policy.ErrNotRecorded) {
		t.Errorf("%v, %v, want ErrNotRecorded", d, err)
	}
}

// A bundle that lost a gate does not go live.
func TestBundleWithoutAGateIsRefused(t *testing.T) {
	files := embeddedFiles(t)
	delete(files, "earshot/handoff/gates/boundary_undefined/boundary_undefined.rego")
	_, err := engineOf(files)
	if !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "boundary_undefined") {
		t.Errorf("%v, want one that names the gate", err)
	}
}
