package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/server"
)

// TestARefusalReachesWhoSendsFirst has a client that listens only once it has sent all it has.
func TestARefusalReachesWhoSendsFirst(t *testing.T) {
	const size = 8 << 20
	tests := map[string]struct {
		header string
		status int
	}{
		"too large":      {"Content-Type: application/json\r\nAuthorization: Bearer t\r\n", 413},
		"no token":       {"Content-Type: application/json\r\n", 401},
		"another type":   {"Content-Type: text/plain\r\nAuthorization: Bearer t\r\n", 415},
		"an unknown one": {"Content-Type: application/json\r\nAuthorization: Bearer t\r\n", 404},
	}
	h := newServer(t, func(c *server.Config) {
		c.Limits.Body = 1 << 20
		c.Auth = []server.Credential{credential("a", "t", "", server.ScopeDecide)}
	})
	url, _, _ := start(t, h)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := "/v1/decisions"
			if test.status == 404 {
				path = "/v1/nowhere"
			}
			connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n", path, size, test.header)
			if err == nil {
				_, err = connection.Write(make([]byte, size))
			}
			if err != nil {
				t.Fatalf("the request could not be sent: %v", err)
			}
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Fatalf("there was no answer: %v", err)
			}
			if err := response.Body.Close(); err != nil || response.StatusCode != test.status {
				t.Errorf("status %d, %v, want %d", response.StatusCode, err, test.status)
			}
		})
	}
}

// A body that was refused and whose rest never comes does not keep its answer for ever.
func TestARefusalDoesNotWaitForEver(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.Limits.Body = 1000 })
	url, _, _ := start(t, h)
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := fmt.Fprint(connection, "POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	// Far less than the server gives a body that it wants.
	if err := connection.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("there was no answer: %v", err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != 413 {
		t.Errorf("status %d, %v, want 413", response.StatusCode, err)
	}
}

// endless is a body that never ends and counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

// TestBodyOverTheLimitIsNotKept lets a body come without end: some of it is read and thrown away, so
// that the caller hears the refusal, and not more.
func TestBodyOverTheLimitIsNotKept(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.Limits.Body = 1 << 20 })
	send := func(length int64, expect string) (int, *endless) {
		body := &endless{}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/decisions", io.NopCloser(body))
		r.Header.Set("Content-Type", "application/json")
		if expect != "" {
			r.Header.Set("Expect", expect)
		}
		r.ContentLength = length
		w := httptest.NewRecorder()
		h.Handler().ServeHTTP(w, r)
		return w.Code, body
	}
	const drained = 64 << 20
	if status, body := send(1<<20+1, ""); status != 413 || body.read < drained || body.read > drained+1<<16 {
		t.Errorf("announced: status %d after %d bytes", status, body.read)
	}
	if status, body := send(-1, ""); status != 413 || body.read < drained || body.read > drained+1<<20+1<<16 {
		t.Errorf("not announced: status %d after %d bytes", status, body.read)
	}
	// Whoever waits for leave to send needs no more than the answer.
	if status, body := send(1<<20+1, "100-continue"); status != 413 || body.read != 0 {
		t.Errorf("with leave: status %d after %d bytes", status, body.read)
	}
}
