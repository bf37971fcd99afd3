package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// tooLong is when a wait is given up. It is no measure of speed: nothing should ever come near it.
const tooLong = 2 * time.Minute

// child is a server in a process of its own.
type child struct {
	cmd  *exec.Cmd
	base string // such as http://127.0.0.1:40123

	mu     sync.Mutex
	stderr strings.Builder
	ended  chan struct{} // closed when standard error has ended
}

// startServer runs pdp serve on a data folder and waits until it listens. The process does not
// outlive the test.
func startServer(t *testing.T, data string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{
		cmd: &exec.Cmd{
			Path: self,
			Args: []string{"pdp", "serve", "--addr", "127.0.0.1:0", "--data", data, "--log-format", "json"},
		},
		ended: make(chan struct{}),
	}
	pipe, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	})
	bound := make(chan string, 1)
	go c.read(pipe, bound)
	select {
	case addr := <-bound:
		c.base = "http://" + addr
	case <-c.ended:
		t.Fatalf("the server did not start:\n%s", c.output())
	case <-time.After(tooLong):
		t.Fatalf("the server does not listen:\n%s", c.output())
	}
	return c
}

func (c *child) read(pipe io.Reader, bound chan<- string) {
	defer close(c.ended)
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		c.mu.Lock()
		fmt.Fprintln(&c.stderr, lines.Text())
		c.mu.Unlock()
		var line struct{ Message, Addr string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "listening" {
			bound <- line.Addr
		}
	}
}

func (c *child) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stderr.String()
}

// kill ends the server as kill -9 does.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	_ = c.cmd.Wait() // It reports the signal.
}

// terminate asks the server to stop, and fails the test unless it ends with status 0.
func (c *child) terminate(t *testing.T) {
	t.Helper()
	c.stopBy(t, syscall.SIGTERM)
}

// stopBy is terminate with another signal.
func (c *child) stopBy(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := c.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("the server did not stop in order: %v\n%s", err, c.output())
	}
}

// answer is what a test reads of an answer, good or bad.
type answer struct {
	status int

	ID       string   `json:"decision_id"`
	Admitted []string `json:"admitted"`
	Code     string   `json:"code"`
}

// decide posts the request of the demo.
func (c *child) decide(client *http.Client) (answer, error) {
	resp, err := client.Post(c.base+"/v1/decisions", "application/json", bytes.NewReader(demoRequest))
	if err != nil {
		return answer{}, err
	}
	return readAnswer(resp)
}

// readAnswer reads an answer to its end: one that was cut short was not given.
func readAnswer(resp *http.Response) (answer, error) {
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return a, fmt.Errorf("%d %s: %w", resp.StatusCode, body, err)
	}
	return a, nil
}

// logged returns the ids of all decisions in the log, newest first.
func (c *child) logged(t *testing.T, client *http.Client) []string {
	t.Helper()
	var ids []string
	cursor := ""
	for {
		resp, err := client.Get(c.base + "/v1/decisions?limit=1000" + cursor)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("list the log: %s: %s %v", resp.Status, body, err)
		}
		var page struct {
			Decisions []answer `json:"decisions"`
			Next      string   `json:"next_cursor"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			t.Fatal(err)
		}
		for _, d := range page.Decisions {
			ids = append(ids, d.ID)
		}
		if page.Next == "" {
			return ids
		}
		cursor = "&cursor=" + page.Next
	}
}

// mustHold fails the test unless the log holds every answered decision, each once.
func (c *child) mustHold(t *testing.T, client *http.Client, answered map[string]bool) (total int) {
	t.Helper()
	ids := c.logged(t, client)
	logged := make(map[string]bool, len(ids))
	for _, id := range ids {
		if logged[id] {
			t.Errorf("the log lists %s twice", id)
		}
		logged[id] = true
	}
	lost := 0
	for id := range answered {
		if !logged[id] {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d answered decisions are not in the log", lost, len(answered))
	}
	return len(ids)
}
