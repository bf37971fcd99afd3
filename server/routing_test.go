package server_test

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"earshot/server"
)

func TestRouting(t *testing.T) {
	tests := map[string]struct {
		call   call
		status int
		code   string
		allow  string
	}{
		"unknown path":     {call{path: "/v2/decisions"}, 404, "not_found", ""},
		"root":             {call{path: "/"}, 404, "not_found", ""},
		"trailing slash":   {call{path: "/v1/decisions/"}, 404, "not_found", ""},
		"unknown decision": {call{path: "/v1/decisions/nobody"}, 404, "not_found", ""},
		"unknown problem":  {call{path: "/problems/x"}, 404, "not_found", ""},
		"DELETE":           {call{method: "DELETE", path: "/v1/decisions"}, 405, "method_not_allowed", "OPTIONS, GET, HEAD, POST"},
		"POST to health":   {call{path: "/healthz", body: "{}"}, 405, "method_not_allowed", "OPTIONS, GET, HEAD"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newServer(t, nil).do(t, test.call)
			refused(t, w, test.status, test.code)
			if got := w.Header().Get("Allow"); got != test.allow {
				t.Errorf("Allow %q, want %q", got, test.allow)
			}
		})
	}
	w := newServer(t, nil).do(t, call{method: "OPTIONS"})
	if w.Code != 204 || w.Header().Get("Allow") != "OPTIONS, GET, HEAD, POST" {
		t.Errorf("OPTIONS: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestProblemPages(t *testing.T) {
	h := newServer(t, nil)
	for _, code := range server.ProblemCodes() {
		if got := fields(t, h.do(t, call{path: "/problems/" + code})); got["code"] != code || got["detail"] == "" {
			t.Errorf("problem %v", got)
		}
	}
}

func TestOverload(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	h := newServer(t, func(c *server.Config) {
		c.MaxInFlight = 1
		c.Point = broken{func() error {
			close(entered)
			<-leave
			return errors.New("late")
		}}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Handler().ServeHTTP(httptest.NewRecorder(), call{body: four}.request(t))
	}()
	<-entered
	w := h.do(t, call{body: four})
	refused(t, w, 429, "overloaded")
	if w.Header().Get("Retry-After") != "1" {
		t.Error("no Retry-After")
	}
	if w := h.do(t, call{path: "/healthz"}); w.Code != 200 {
		t.Error("health must be told under load")
	}
	close(leave)
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the first request never ended")
	}
	if w := h.do(t, call{}); w.Code != 200 {
		t.Errorf("after the load: %s", w.Body)
	}
}
