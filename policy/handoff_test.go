package policy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// handoffs keeps what it is given, or refuses it.
type handoffs struct {
	entries []*policy.HandoffEntry
	refuse  error
}

func (h *handoffs) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, errors.New("a hand-off is no decision on candidates")
}

func (h *handoffs) RecordHandoff(_ context.Context, e *policy.HandoffEntry) (policy.Position, error) {
	if h.refuse != nil {
		return policy.Position{}, h.refuse
	}
	h.entries = append(h.entries, e)
	return policy.Position{Index: uint64(len(h.entries) - 1)}, nil
}

func handoffPoint(t testing.TB, e *policy.Engine, recorder *handoffs) *policy.Point {
	t.Helper()
	p, err := policy.NewPoint(policy.Config{
		Engine: e, Recorder: recorder, HandoffRecorder: recorder,
		Clock: func() time.Time { return time.Unix(1796068801, 0) },
		NewID: func() (string, error) { return "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func embeddedEngine(t testing.TB) *policy.Engine {
	t.Helper()
	e, err := engineOf(policy.EmbeddedFS())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// inherit returns a hand-off from the agent intake to the agent billing that proceeds, changed by
// change.
func inherit(change func(h *policy.Handoff)) policy.Handoff {
	h := policy.Handoff{
		Agent: "agent:billing",
		Elements: []policy.Element{
			{ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: policy.KindFact},
		},
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:intake"}},
		Boundary:    policy.Boundary{Stated: true, SharedSubstrate: policy.SubstrateShared},
	}
	if change != nil {
		change(&h)
	}
	return h
}

func own(id string) policy.Element {
	return policy.Element{ID: id, Source: "agent:billing", Confidential: policy.Confidential, Kind: policy.KindFact}
}

func admitted(id, permit string, obligations ...string) policy.Result {
	return policy.Result{ID: id, Admit: true, Reasons: []string{permit}, Obligations: append([]string{}, obligations...)}
}

func denied(id string, reasons ...string) policy.Result {
	return policy.Result{ID: id, Reasons: reasons}
}

func TestStrictHandoffs(t *testing.T) {
	type answer struct {
		Verdict   policy.Verdict
		Directive string
		Results   []policy.Result
	}
	bleed := func(directive string, results ...policy.Result) answer {
		return answer{policy.BleedDetected, directive, results}
	}
	unattributed := func(results ...policy.Result) answer {
		return answer{policy.UnattributedContext, "HALT: 1 context elements lack attribution.", results}
	}
	nobodys := func(h *policy.Handoff) {
		h.Elements[0].Source = ""
		h.Inheritance.AllowUnattributed = true
	}
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	for name, c := range map[string]struct {
		change func(h *policy.Handoff)
		want   answer
	}{
		"sharing": {nil, answer{
			policy.AuthorizedSharing, "PROCEED: 1 authorized shared elements.",
			[]policy.Result{admitted("e1", "authorized_sharing", "label_source")},
		}},
		"nothing but its own": {func(h *policy.Handoff) { h.Elements[0] = own("e1") }, answer{
			policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.",
			[]policy.Result{admitted("e1", "own_element")},
		}},
		"no elements": {func(h *policy.Handoff) { h.Elements = nil }, answer{
			policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.", []policy.Result{},
		}},
		"an element that is not shared": {
			func(h *policy.Handoff) { h.Elements[0].Shared = false },
			bleed("HALT: 1 elements must not be inherited.", denied("e1", "unshared_from_other_agent")),
		},
		"one bad element halts its neighbours": {
			func(h *policy.Handoff) {
				h.Elements = append(h.Elements, own("e2"), own("e3"))
				h.Elements[0].Confidential = policy.Confidential
			},
			bleed("HALT: 1 confidential elements inherited from other agents.",
				denied("e1", "confidential_from_other_agent"), denied("e2", "handoff_halted"), denied("e3", "handoff_halted")),
		},
		"confidentiality that is not stated": {
			func(h *policy.Handoff) { h.Elements[0].Confidential = policy.ConfidentialityUnstated },
			bleed("HALT: 1 confidential elements inherited from other agents.", denied("e1", "confidential_from_other_agent")),
		},
		"confidential, and allowed": {
			func(h *policy.Handoff) {
				h.Elements[0].Confidential = policy.Confidential
				h.Inheritance.AllowConfidential = true
			},
			answer{
				policy.AuthorizedSharing, "PROCEED: 1 authorized shared elements.",
				[]policy.Result{admitted("e1", "authorized_sharing", "label_source")},
			},
		},
		"an agent that is not authorised": {
			func(h *policy.Handoff) { h.Inheritance.AuthorizedAgents = []string{"agent:legal"} },
			bleed("HALT: 1 elements from unauthorized agents.", denied("e1", "agent_not_authorized")),
		},
		"another agent's directive": {
			func(h *policy.Handoff) { h.Elements[0].Kind = "directive" },
			bleed("HALT: 1 elements must not be inherited.", denied("e1", "foreign_directive")),
		},
		"its own directive": {
			func(h *policy.Handoff) { h.Elements[0] = own("e1"); h.Elements[0].Kind = "directive" },
			answer{
				policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.",
				[]policy.Result{admitted("e1", "own_element")},
			},
		},
		"its own prior": {
			func(h *policy.Handoff) { h.Elements[0] = own("e1"); h.Elements[0].Kind = "prior" },
			answer{
				policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.",
				[]policy.Result{admitted("e1", "own_element", "label_source")},
			},
		},
		"private to another": {
			func(h *policy.Handoff) { h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e1"}} },
			bleed("HALT: 1 elements must not be inherited.", denied("e1", "private_to_other_agent")),
		},
		"private to the heir": {
			func(h *policy.Handoff) {
				h.Boundary.PrivateTo = map[string][]string{"agent:legal": {"e1"}, "agent:billing": {"e1"}}
			},
			answer{
				policy.AuthorizedSharing, "PROCEED: 1 authorized shared elements.",
				[]policy.Result{admitted("e1", "authorized_sharing", "label_source")},
			},
		},
		"no boundary": {
			func(h *policy.Handoff) { h.Boundary = policy.Boundary{} },
			bleed("HALT: the boundary between the agents is undefined.", denied("e1", "boundary_undefined")),
		},
		"no boundary and no elements": {
			func(h *policy.Handoff) { h.Boundary, h.Elements = policy.Boundary{}, nil },
			answer{policy.BleedDetected, "HALT: the boundary between the agents is undefined.", []policy.Result{}},
		},
		"no boundary and a worse reason": {
			func(h *policy.Handoff) { h.Boundary = policy.Boundary{}; h.Elements[0].Shared = false },
			bleed("HALT: 1 elements must not be inherited.", denied("e1", "boundary_undefined", "unshared_from_other_agent")),
		},
		"confidential and nobody's, whatever the policy": {
			func(h *policy.Handoff) {
				nobodys(h)
				h.Elements[0].Confidential = policy.Confidential
				h.Inheritance.AllowConfidential = true
				h.Boundary.SharedSubstrate = policy.SubstrateSeparate
			},
			unattributed(denied("e1", "unattributed")),
		},
		"nobody's, in a shared substrate": {nobodys, unattributed(denied("e1", "unattributed"))},
		"nobody's, in separate ones": {
			func(h *policy.Handoff) { nobodys(h); h.Boundary.SharedSubstrate = policy.SubstrateSeparate },
			answer{
				policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.",
				[]policy.Result{admitted("e1", "single_origin")},
			},
		},
		"nobody's, from the one source there is": {
			func(h *policy.Handoff) { nobodys(h); h.Boundary.SingleSource = "agent:intake" },
			answer{
				policy.IsolatedContext, "PROCEED: Agent agent:billing has isolated context.",
				[]policy.Result{admitted("e1", "single_origin")},
			},
		},
		"nobody's, from one source of several": {
			func(h *policy.Handoff) {
				nobodys(h)
				h.Boundary.SingleSource = "agent:intake"
				h.Inheritance.AuthorizedAgents = []string{"agent:intake", "agent:legal"}
			},
			unattributed(denied("e1", "unattributed")),
		},
		"nobody's prior": {
			func(h *policy.Handoff) {
				nobodys(h)
				h.Boundary.SingleSource = "agent:intake"
				h.Elements[0].Kind = "prior"
			},
			unattributed(denied("e1", "unattributed")),
		},
		"confidential outranks unattributed": {
			func(h *policy.Handoff) {
				h.Elements[0].Confidential = policy.Confidential
				h.Elements = append(h.Elements, policy.Element{ID: "e2", Kind: policy.KindFact})
			},
			bleed("HALT: 1 confidential elements inherited from other agents.",
				denied("e1", "confidential_from_other_agent"), denied("e2", "unattributed")),
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := point.HandOff(t.Context(), inherit(c.change))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, answer{d.Verdict, d.Directive, d.Results}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
