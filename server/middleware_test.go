package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"earshot/server"
)

func TestRequestID(t *testing.T) {
	h := newServer(t, nil)
	for _, given := range []string{"req-1", strings.Repeat("x", 128), "~!"} {
		w := h.do(t, call{path: "/healthz", header: http.Header{"X-Request-Id": {given}}})
		if got := w.Header().Get("X-Request-ID"); got != given {
			t.Errorf("id %q became %q", given, got)
		}
	}
	for _, given := range []string{"", strings.Repeat("x", 129), "a b", "a\tb", "é", "a\x7f"} {
		w := h.do(t, call{path: "/healthz", header: http.Header{"X-Request-Id": {given}}})
		id, err := uuid.Parse(w.Header().Get("X-Request-ID"))
		if err != nil || id.Version() != 7 {
			t.Errorf("id %q became %q: %v", given, w.Header().Get("X-Request-ID"), err)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	h := newServer(t, nil)
	for _, path := range []string{"/healthz", "/v1/decisions", "/nowhere"} {
		header := h.do(t, call{path: path}).Header()
		for name, want := range map[string]string{
			"Cache-Control":           "no-store",
			"X-Content-Type-Options":  "nosniff",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
}

func TestHealth(t *testing.T) {
	failing := errors.New("no space in /srv/data")
	h := newServer(t, func(c *server.Config) {
		c.PolicyRevision = func() string { return "sha256:1" }
		c.Ready = []server.Check{
			{Name: "policy", Ready: func(context.Context) error { return nil }},
			{Name: "decision_log", Ready: func(context.Context) error { return failing }},
		}
	})
	if diff := cmp.Diff(map[string]any{"status": "ok"}, fields(t, h.do(t, call{path: "/healthz"}))); diff != "" {
		t.Error(diff)
	}
	w := h.do(t, call{path: "/readyz"})
	want := map[string]any{"status": "unready", "policy_revision": "sha256:1", "failing": []any{"decision_log"}}
	if diff := cmp.Diff(want, fields(t, w)); w.Code != 503 || diff != "" {
		t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
	}
	if !strings.Contains(h.log.String(), failing.Error()) {
		t.Error("the log does not tell the cause")
	}
	failing = nil
	w = h.do(t, call{path: "/readyz"})
	want = map[string]any{"status": "ready", "policy_revision": "sha256:1"}
	if diff := cmp.Diff(want, fields(t, w)); w.Code != 200 || diff != "" {
		t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
	}
	if w := h.do(t, call{method: "HEAD", path: "/readyz"}); w.Code != 200 {
		t.Errorf("HEAD: %d", w.Code)
	}
}

func TestConfigIsChecked(t *testing.T) {
	h := newServer(t, nil)
	revision := func() string { return "" }
	for name, config := range map[string]server.Config{
		"no point":            {Decisions: h.ledger, PolicyRevision: revision},
		"no decisions":        {Point: broken{}, PolicyRevision: revision},
		"no revision":         {Point: broken{}, Decisions: h.ledger},
		"negative MaxInFight": {Point: broken{}, Decisions: h.ledger, PolicyRevision: revision, MaxInFlight: -1},
		"no room for a body":  {Point: broken{}, Decisions: h.ledger, PolicyRevision: revision, MaxBodyBytes: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := server.New(config); err == nil {
				t.Error("taken")
			}
		})
	}
}
