package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/policy"
	"earshot/server"
)

// held is a Decider that waits in the middle of a decision.
type held struct {
	server.Decider
	entered, leave chan struct{}
}

func (h held) Decide(ctx context.Context, req policy.Request) (*policy.Decision, error) {
	close(h.entered)
	<-h.leave
	return h.Decider.Decide(ctx, req)
}

// start serves h and returns its address, the function that stops it and what Serve returns.
func start(t *testing.T, h *house) (url string, stop func(), served <-chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- h.Serve(ctx, listener) }()
	return "http://" + listener.Addr().String(), cancel, done
}

type answer struct {
	status int
	body   string
	err    error
}

func post(url string) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		response, err := http.Post(url+"/v1/decisions", "application/json", strings.NewReader(four))
		if err != nil {
			got <- answer{err: err}
			return
		}
		body, err := io.ReadAll(response.Body)
		got <- answer{response.StatusCode, string(body), errors.Join(err, response.Body.Close())}
	}()
	return got
}

func TestServeFinishesWhatItAccepted(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	h := newServer(t, func(c *server.Config) { c.Point = held{c.Point, entered, leave} })
	url, stop, served := start(t, h)
	got := post(url)
	<-entered
	stop()
	// The listener closes before anything else, so a refused connection shows that the stop began.
	for {
		connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			break
		}
		if err := connection.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(leave)
	if a := <-got; a.err != nil || a.status != 200 || !strings.Contains(a.body, `"admitted":["m1","m3"]`) {
		t.Errorf("answer %d %q, %v", a.status, a.body, a.err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if len(h.ledger.records) != 1 {
		t.Errorf("%d decisions recorded", len(h.ledger.records))
	}
}

func TestServeCutsAfterTheGraceTime(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	h := newServer(t, func(c *server.Config) {
		c.Point = held{c.Point, entered, leave}
		c.Grace = time.Millisecond
	})
	url, stop, served := start(t, h)
	got := post(url)
	<-entered
	stop()
	if err := <-served; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Serve: %v", err)
	}
	if a := <-got; a.err == nil {
		t.Errorf("answer %d %q after the cut", a.status, a.body)
	}
	close(leave)
}

func TestServeReportsItsListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := newServer(t, nil).Serve(t.Context(), listener); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
}
