package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a child process that answers questions over HTTP.
type server struct {
	name string
	cmd  *exec.Cmd
	url  string
	body func(p point, salt int) ([]byte, error)

	// admitted reads from an answer how many candidates it admits.
	admitted func(answer []byte) (int, error)
}

// startAll starts this service, and OPA where there is one. On an error it returns what runs already.
func startAll(ctx context.Context, f *flags, dir string) (all []*server, err error) {
	pdp := f.PDP
	if pdp == "" {
		pdp = filepath.Join(dir, "pdp")
		build := exec.CommandContext(ctx, "go", "build", "-o", pdp, "earshot/cmd/pdp")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build pdp: %w\n%s", err, out)
		}
	}
	start := func(s *server, path, health string, command func(addr string) []string) error {
		addr, err := freeAddress()
		if err != nil {
			return err
		}
		args := command(addr)
		s.cmd = exec.CommandContext(ctx, args[0], args[1:]...) // Its output goes to /dev/null.
		s.url = "http://" + addr + path
		if err := s.cmd.Start(); err != nil {
			return err
		}
		all = append(all, s)
		return ready(ctx, "http://"+addr+health)
	}
	ours := &server{name: "earshot", body: point.ours, admitted: admittedByUs}
	if err := start(ours, "/v1/decisions", "/readyz", func(addr string) []string {
		return []string{pdp, "serve", "--addr", addr, "--data", filepath.Join(dir, "data"), "--log-format", "json"}
	}); err != nil || f.OPA == "" {
		return all, err
	}
	module := filepath.Join(dir, "bench.rego")
	if err := os.WriteFile(module, []byte(batch), 0o600); err != nil {
		return all, err
	}
	for _, with := range []struct {
		name string
		args []string
	}{
		{"opa, no log", []string{"--log-level", "error"}},
		{"opa, log to /dev/null", []string{"--set", "decision_logs.console=true"}},
	} {
		s := &server{name: with.name, body: point.opas, admitted: admittedByOPA}
		if err := start(s, "/v1/data/bench/decisions", "/health", func(addr string) []string {
			return append([]string{f.OPA, "run", "--server", "--addr", addr, "--skip-version-check"}, append(with.args, f.Policy, module)...)
		}); err != nil {
			return all, err
		}
	}
	return all, nil
}

func (s *server) stop() {
	// It is a child that is no longer needed; how it ends says nothing about the figures.
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// ready waits until a server answers that it is.
func ready(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			if err := resp.Body.Close(); err != nil {
				return err
			}
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not get ready: %w", url, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func admittedByUs(answer []byte) (int, error) {
	var doc struct {
		Results []struct {
			Admit bool `json:"admit"`
		} `json:"results"`
	}
	err := json.Unmarshal(answer, &doc)
	n := 0
	for _, r := range doc.Results {
		if r.Admit {
			n++
		}
	}
	return n, err
}

func admittedByOPA(answer []byte) (int, error) {
	var doc struct {
		Result []struct {
			Admit bool `json:"admit"`
		} `json:"result"`
	}
	err := json.Unmarshal(answer, &doc)
	n := 0
	for _, r := range doc.Result {
		if r.Admit {
			n++
		}
	}
	return n, err
}

// tick is the unit of times in /proc/PID/stat: USER_HZ, which is 100 on every Linux (proc(5)).
const tick = 10 * time.Millisecond

// cpu returns the processor time that the process has used.
func (s *server) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(text), ") ") // The name before it can hold anything but this.
	fields := strings.Fields(rest)
	if !ok || len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat has another form")
	}
	user, err := strconv.ParseInt(fields[11], 10, 64) // field 14 of the whole line
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * tick, err
}

// rss returns the resident memory of the process in KiB.
func (s *server) rss() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(text), "VmRSS:")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		return 0, errors.New("/proc/PID/status has no VmRSS")
	}
	return strconv.ParseInt(fields[0], 10, 64)
}
