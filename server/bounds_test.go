package server_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"earshot/decisionlog"
	"earshot/server"
)

// halting is a body that stops after its first part until it is told to go on.
type halting struct {
	first   string
	reached chan struct{} // closed when the first part was read
	goOn    chan struct{}
	rest    io.Reader
	begun   bool
}

func newHalting(first, rest string) *halting {
	return &halting{first: first, reached: make(chan struct{}), goOn: make(chan struct{}), rest: strings.NewReader(rest)}
}

func (h *halting) Read(p []byte) (int, error) {
	if h.first != "" {
		n := copy(p, h.first)
		h.first = h.first[n:]
		return n, nil
	}
	if !h.begun {
		h.begun = true
		close(h.reached)
		<-h.goOn
	}
	return h.rest.Read(p)
}

// send has a server answer a request with this body and returns where the status will be.
func (h *halting) send(house *house) <-chan int {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/decisions", h)
	r.Header.Set("Content-Type", "application/json")
	done := make(chan int, 1)
	go func() {
		w := httptest.NewRecorder()
		house.Handler().ServeHTTP(w, r)
		done <- w.Code
	}()
	return done
}

func TestASlowBodyHoldsNobodyUp(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.MaxInFlight = 1 })
	slow := newHalting(four[:100], four[100:])
	status := slow.send(h)
	<-slow.reached
	if w := h.do(t, call{body: four}); w.Code != 200 {
		t.Errorf("beside a slow body: %d %s", w.Code, w.Body)
	}
	close(slow.goOn)
	if got := <-status; got != 200 {
		t.Errorf("the slow one: %d", got)
	}
}

func TestBytesInFlightAreBounded(t *testing.T) {
	size := int64(len(four))
	h := newServer(t, func(c *server.Config) {
		c.Limits.Body = size
		c.MaxBodyBytes = size + size/2
	})
	slow := newHalting(four[:size-10], four[size-10:])
	status := slow.send(h)
	<-slow.reached
	for range 3 { // what a refused request took is given back
		refused(t, h.do(t, call{body: four}), 429, "overloaded")
	}
	const small = `{"turn": {"agent": "a"}, "candidates": []}`
	if w := h.do(t, call{body: small}); w.Code != 200 {
		t.Errorf("a body for which there is room: %d %s", w.Code, w.Body)
	}
	close(slow.goOn)
	if got := <-status; got != 200 {
		t.Errorf("the slow one: %d", got)
	}
	for range 3 {
		if w := h.do(t, call{body: four}); w.Code != 200 {
			t.Errorf("after it: %d %s", w.Code, w.Body)
		}
	}
}

// reader is a log whose reads wait.
type reader struct {
	server.Decisions
	entered chan struct{}
	leave   chan struct{}
}

func (r reader) Get(ctx context.Context, id string) (*decisionlog.Record, error) {
	r.entered <- struct{}{}
	<-r.leave
	return r.Decisions.Get(ctx, id)
}

// Those who read decisions do not take the place of those who ask for one.
func TestReadsAreBounded(t *testing.T) {
	slow := reader{entered: make(chan struct{}), leave: make(chan struct{})}
	h := newServer(t, func(c *server.Config) {
		slow.Decisions = c.Decisions
		c.Decisions = slow
		c.Logger = zerolog.Nop() // many at once
	})
	const most = 16
	done := make(chan struct{}, most)
	for range most {
		go func() {
			defer func() { done <- struct{}{} }()
			h.Handler().ServeHTTP(httptest.NewRecorder(), call{path: "/v1/decisions/x"}.request(t))
		}()
		<-slow.entered
	}
	refused(t, h.do(t, call{path: "/v1/decisions/x"}), 429, "overloaded")
	if w := h.do(t, call{body: four}); w.Code != 200 {
		t.Errorf("a decision: %d %s", w.Code, w.Body)
	}
	close(slow.leave)
	for range most {
		<-done
	}
	if w := h.do(t, call{}); w.Code != 200 {
		t.Errorf("after them: %d %s", w.Code, w.Body)
	}
}
