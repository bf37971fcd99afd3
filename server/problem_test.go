package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server"
)

func TestLogFailures(t *testing.T) {
	tests := map[string]struct {
		err    error
		status int
		code   string
	}{
		"unavailable": {decisionlog.ErrUnavailable, 503, "log_unavailable"},
		"closed":      {decisionlog.ErrClosed, 503, "log_unavailable"},
		"too slow":    {context.DeadlineExceeded, 503, "log_unavailable"},
		"other":       {errors.New("disk on fire in /srv/secret"), 503, "log_unavailable"},
		"overloaded":  {fmt.Errorf("queue: %w", decisionlog.ErrOverloaded), 429, "overloaded"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, nil)
			h.ledger.refuse = test.err
			w := h.do(t, call{body: four})
			refused(t, w, test.status, test.code)
			if w.Header().Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			for _, word := range []string{"m1", "secret", "admitted\""} {
				if strings.Contains(w.Body.String(), word) {
					t.Errorf("the refusal says %q", word)
				}
			}
			if !strings.Contains(h.do(t, call{path: "/metrics"}).Body.String(), "earshot_log_errors_total 1\n") {
				t.Error("the metric does not show the failure")
			}
		})
	}
}

func TestPointFailures(t *testing.T) {
	tests := map[string]struct {
		decide func() error
		status int
		code   string
		retry  string
	}{
		"policy":           {func() error { return fmt.Errorf("%w: slow", policy.ErrPolicyUnavailable) }, 503, "policy_unavailable", "5"},
		"cancelled inside": {func() error { return context.Canceled }, 503, "policy_unavailable", "5"},
		"unknown":          {func() error { return errors.New("password is 1234") }, 500, "internal", ""},
		"panic":            {func() error { panic("password is 1234") }, 500, "internal", ""},
		"nil map":          {writeToNilMap, 500, "internal", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, func(c *server.Config) { c.Point = broken{test.decide} })
			w := httptest.NewRecorder()
			h.Handler().ServeHTTP(w, call{body: four}.request(t))
			refused(t, w, test.status, test.code)
			if got := w.Header().Get("Retry-After"); got != test.retry {
				t.Errorf("Retry-After %q, want %q", got, test.retry)
			}
			if strings.Contains(w.Body.String(), "1234") {
				t.Error("the answer tells the cause")
			}
			if test.status == 500 && !strings.Contains(h.log.String(), `"cause":`) {
				t.Errorf("the log does not tell the cause: %s", h.log)
			}
		})
	}
}

// writeToNilMap panics in the way of a slip and not of a panic that was written down.
func writeToNilMap() error {
	var m map[string]int
	m["x"] = 1 //lint:ignore SA5000 the panic is what is tested
	return nil
}

// The server lives on after a panic.
func TestAfterPanic(t *testing.T) {
	calls := 0
	h := newServer(t, func(c *server.Config) {
		point := c.Point
		c.Point = sometimes{Decider: point, first: func() { calls++; panic("first") }, calls: &calls}
		c.MaxInFlight = 1
	})
	refused(t, h.do(t, call{body: four}), 500, "internal")
	if w := h.do(t, call{body: four}); w.Code != 200 {
		t.Fatal(w.Body)
	}
}

// sometimes panics the first time.
type sometimes struct {
	server.Decider
	first func()
	calls *int
}

func (s sometimes) Decide(ctx context.Context, req policy.Request) (*policy.Decision, error) {
	if *s.calls == 0 {
		s.first()
	}
	return s.Decider.Decide(ctx, req)
}
