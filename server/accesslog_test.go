package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/server"
)

// lines decodes the log of a server.
func lines(t *testing.T, log *bytes.Buffer) []map[string]any {
	t.Helper()
	var list []map[string]any
	for line := range strings.Lines(log.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		delete(m, "duration_ms")
		list = append(list, m)
	}
	return list
}

func TestAccessLog(t *testing.T) {
	h := newServer(t, nil)
	header := http.Header{"X-Request-Id": {"r"}, "Content-Type": {"application/json"}, "Authorization": {"Bearer token-x"}}
	h.do(t, call{body: four, header: header})
	h.do(t, call{body: `{"turn": {"agent": "agent:scribe", "viewers": ["user ann"]}, "candidates": []}`, header: header})
	h.do(t, call{path: "/v1/decisions?viewer=user:ann", header: header})
	h.do(t, call{path: "/v1/decisions/01931c5e-7d2a-7c1f-9a57-000000000001", header: header})
	h.do(t, call{path: "/user:ann", header: header})
	h.do(t, call{method: "BREW", path: "/v1/decisions/user:ann", header: header})

	line := func(method, route string, status float64, more map[string]any) map[string]any {
		m := map[string]any{
			"level": "info", "message": "request", "request_id": "r", "method": method, "route": route, "status": status,
		}
		for k, v := range more {
			m[k] = v
		}
		return m
	}
	id := map[string]any{"decision_id": "01931c5e-7d2a-7c1f-9a57-000000000001"}
	want := []map[string]any{
		line("POST", "/v1/decisions", 200, id),
		line("POST", "/v1/decisions", 400, map[string]any{"code": "invalid_request"}),
		line("GET", "/v1/decisions", 200, nil),
		line("GET", "/v1/decisions/:id", 200, id),
		line("GET", "unmatched", 404, map[string]any{"code": "not_found"}),
		line("other", "/v1/decisions/:id", 405, map[string]any{"code": "method_not_allowed"}),
	}
	if diff := cmp.Diff(want, lines(t, h.log)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	for _, word := range []string{"user:ann", "user ann", "agent:scribe", "m1", "token-x"} {
		if strings.Contains(h.log.String(), word) {
			t.Errorf("the log says %q", word)
		}
	}
}

// Who asks is in the line by the name of the credential; who is turned away, by the address.
func TestAccessLogNamesTheCredential(t *testing.T) {
	h := guarded(t)
	with := func(token string) http.Header {
		return http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "X-Request-Id": {"r"}}
	}
	h.do(t, call{body: four, header: with("token-runtime")})
	h.do(t, call{header: with("token-auditor")})
	h.do(t, call{path: "/v1/decisions/x", header: with("token-auditor")})
	h.do(t, call{header: with("token-runtime")})
	h.do(t, call{header: with("wrong")})

	type who struct{ by, peer any }
	var got []who
	for _, line := range lines(t, h.log) {
		got = append(got, who{line["requested_by"], line["peer"]})
	}
	want := []who{{"runtime", nil}, {"auditor", nil}, {"auditor", nil}, {"runtime", "192.0.2.1"}, {nil, "192.0.2.1"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(who{})); diff != "" {
		t.Errorf("who asked (-want +got):\n%s", diff)
	}
}

// A caller who hangs up is no failure of the service.
func TestHungUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := newServer(t, func(c *server.Config) {
		c.Point = broken{func() error {
			cancel()
			return fmt.Errorf("evaluate: %w", context.Canceled)
		}}
	})
	r := call{body: four, header: http.Header{"X-Request-Id": {"r"}, "Content-Type": {"application/json"}}}.request(t)
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r.WithContext(ctx))
	if w.Body.Len() > 0 {
		t.Errorf("answered %s", w.Body)
	}
	want := []map[string]any{{
		"level": "info", "message": "request", "request_id": "r", "method": "POST", "route": "/v1/decisions", "outcome": "client_closed",
	}}
	if diff := cmp.Diff(want, lines(t, h.log)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	metrics := h.do(t, call{path: "/metrics"}).Body.String()
	if !strings.Contains(metrics, `status="client_closed"} 1`) || strings.Contains(metrics, `status="5`) {
		t.Error("the metrics do not show a caller who hung up and nothing else")
	}
}

// Another failure counts although its caller has gone.
func TestHungUpBesideAFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := newServer(t, func(c *server.Config) {
		c.Point = broken{func() error {
			cancel()
			return errors.New("out of order")
		}}
	})
	h.Handler().ServeHTTP(httptest.NewRecorder(), call{body: four}.request(t).WithContext(ctx))
	if line := lines(t, h.log)[0]; line["level"] != "error" || line["status"] != 500.0 {
		t.Errorf("log line %v", line)
	}
}
