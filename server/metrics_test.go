package server_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/server"

	"github.com/google/go-cmp/cmp"
)

func TestMetrics(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: four})
	h.do(t, call{body: four})
	h.do(t, call{path: "/nowhere/user:ann"})

	var got []string
	body := h.do(t, call{path: "/metrics"}).Body.String()
	for line := range strings.Lines(body) {
		name, _, _ := strings.Cut(line, "{")
		switch name {
		case "earshot_request_duration_seconds_bucket", "earshot_request_duration_seconds_sum":
			continue
		}
		if strings.HasPrefix(line, "earshot_") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		`earshot_build_info{version="1.2.3"} 1`,
		`earshot_candidate_reasons_total{admit="false",reason="source_audience_narrower"} 2`,
		`earshot_candidate_reasons_total{admit="false",reason="viewer_not_in_audience"} 2`,
		`earshot_candidate_reasons_total{admit="true",reason="audience_covers_viewers"} 2`,
		`earshot_candidate_reasons_total{admit="true",reason="public"} 2`,
		`earshot_decisions_total{verdict="AUTHORIZED_SHARING"} 2`,
		`earshot_decisions_total{verdict="BLEED_DETECTED"} 0`,
		`earshot_decisions_total{verdict="ISOLATED_CONTEXT"} 0`,
		`earshot_decisions_total{verdict="UNATTRIBUTED_CONTEXT"} 0`,
		`earshot_invariant_violations_total 0`,
		`earshot_log_errors_total 0`,
		`earshot_policy_failures_total 0`,
		`earshot_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1`,
		`earshot_request_duration_seconds_count{method="POST",route="/v1/decisions",status="200"} 2`,
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	for _, word := range []string{"user:ann", "agent:scribe", "m1"} {
		if strings.Contains(body, word) {
			t.Errorf("the metrics say %q", word)
		}
	}
}

// scripted is a Decider with a ready answer, which admits nothing.
type scripted struct {
	results  []policy.Result
	failures []policy.Failure
}

func (s scripted) Decide(_ context.Context, req policy.Request) (*policy.Decision, error) {
	req.Candidates = make([]policy.Candidate, len(s.results))
	return &policy.Decision{Entry: policy.Entry{
		ID: "01931c5e-7d2a-7c1f-9a57-000000000001", PolicyRevision: "sha256:" + strings.Repeat("0", 64),
		Viewers: policy.Viewers{Digest: "sha256:" + strings.Repeat("0", 64)},
		Request: req, Results: s.results, Verdict: policy.IsolatedContext,
	}, Failures: s.failures}, nil
}

func (s scripted) HandOff(_ context.Context, h policy.Handoff) (*policy.HandoffDecision, error) {
	return &policy.HandoffDecision{HandoffEntry: policy.HandoffEntry{
		ID: "01931c5e-7d2a-7c1f-9a57-000000000001", PolicyRevision: "sha256:" + strings.Repeat("0", 64),
		Request: h, Results: s.results, Verdict: policy.BleedDetected, Directive: "HALT: so it is.",
		ManifestDigest: strings.Repeat("0", 64),
	}, Failures: s.failures}, nil
}

func (scripted) ExplainHandoff(*policy.HandoffDecision, int) policy.Detail { return policy.Detail{} }

func (scripted) Explain(*policy.Decision, int) policy.Detail { return policy.Detail{} }

func TestInvariantViolationIsSaid(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Point = scripted{results: []policy.Result{
			{ID: "m1", Reasons: []string{policy.CodeInvariantViolation}},
			{ID: "m2", Reasons: []string{policy.CodeInvariantViolation}},
			{ID: "m3", Reasons: []string{"local:hours"}},
			{ID: "m4", Reasons: []string{"local:of_user:ann"}},
		}}
	})
	h.do(t, call{body: four})
	body := h.do(t, call{path: "/metrics"}).Body.String()
	for _, line := range []string{
		"earshot_invariant_violations_total 2\n",
		`earshot_candidate_reasons_total{admit="false",reason="local"} 2` + "\n",
	} {
		if !strings.Contains(body, line) {
			t.Errorf("the metrics lack %s", line)
		}
	}
	first := lines(t, h.log)[0]
	if first["level"] != "error" || first["candidates"] != 2.0 || first["decision_id"] != "01931c5e-7d2a-7c1f-9a57-000000000001" {
		t.Errorf("log line %v", first)
	}
}

// A policy that gives no usable answer denies, and its operator hears why, though not a thousand times.
func TestPolicyFailuresAreSaid(t *testing.T) {
	var results []policy.Result
	var failures []policy.Failure
	for i := range 8 {
		results = append(results, policy.Result{ID: "m", Reasons: []string{policy.CodePolicyError}})
		failures = append(failures, policy.Failure{Position: i, Cause: fmt.Errorf("local/hours.rego:%d: conflict", i)})
	}
	h := newServer(t, func(c *server.Config) { c.Point = scripted{results, failures} })
	h.do(t, call{body: four})
	if body := h.do(t, call{path: "/metrics"}).Body.String(); !strings.Contains(body, "earshot_policy_failures_total 8\n") {
		t.Error("the metrics do not show the failures")
	}
	var got []map[string]any
	for _, line := range lines(t, h.log) {
		if line["message"] != "request" {
			got = append(got, line)
		}
	}
	var want []map[string]any
	for i := range 5 {
		want = append(want, map[string]any{
			"level": "error", "message": "the policy gave no usable answer", "position": float64(i), "failures": 8.0,
			"decision_id": "01931c5e-7d2a-7c1f-9a57-000000000001", "policy_revision": "sha256:" + strings.Repeat("0", 64),
			"cause": fmt.Sprintf("local/hours.rego:%d: conflict", i),
		})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestReasonLabelsAreBounded(t *testing.T) {
	var results []policy.Result
	for i := range 100 {
		results = append(results, policy.Result{Reasons: []string{fmt.Sprintf("code_%d", i)}})
	}
	h := newServer(t, func(c *server.Config) { c.Point = scripted{results: results} })
	h.do(t, call{body: four})
	body := h.do(t, call{path: "/metrics"}).Body.String()
	if got := strings.Count(body, "earshot_candidate_reasons_total{"); got != 65 {
		t.Errorf("%d labels, want 64 and the other one", got)
	}
	if !strings.Contains(body, `earshot_candidate_reasons_total{admit="false",reason="other"} 36`) {
		t.Error("the rest is not counted as other")
	}
}
