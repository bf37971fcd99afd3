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
type scripted struct{ results []policy.Result }

func (s scripted) Decide(_ context.Context, req policy.Request) (*policy.Decision, error) {
	req.Candidates = make([]policy.Candidate, len(s.results))
	return &policy.Decision{Entry: policy.Entry{
		ID: "01931c5e-7d2a-7c1f-9a57-000000000001", PolicyRevision: "sha256:" + strings.Repeat("0", 64),
		Viewers: policy.Viewers{Digest: "sha256:" + strings.Repeat("0", 64)},
		Request: req, Results: s.results, Verdict: policy.IsolatedContext,
	}}, nil
}

func (scripted) Explain(*policy.Entry, int) policy.Detail { return policy.Detail{} }

func TestInvariantViolationIsSaid(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Point = scripted{[]policy.Result{
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

func TestReasonLabelsAreBounded(t *testing.T) {
	var results []policy.Result
	for i := range 100 {
		results = append(results, policy.Result{Reasons: []string{fmt.Sprintf("code_%d", i)}})
	}
	h := newServer(t, func(c *server.Config) { c.Point = scripted{results} })
	h.do(t, call{body: four})
	body := h.do(t, call{path: "/metrics"}).Body.String()
	if got := strings.Count(body, "earshot_candidate_reasons_total{"); got != 65 {
		t.Errorf("%d labels, want 64 and the other one", got)
	}
	if !strings.Contains(body, `earshot_candidate_reasons_total{admit="false",reason="other"} 36`) {
		t.Error("the rest is not counted as other")
	}
}
