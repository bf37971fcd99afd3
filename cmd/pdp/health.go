package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

type healthCmd struct {
	Addr    string        `default:"127.0.0.1:8181" help:"Address of the server."`
	Timeout time.Duration `default:"2s" help:"How long one answer may take."`
	Wait    time.Duration `default:"0s" help:"How long to ask again until the server is ready."`
}

// Help is shown by pdp health --help.
func (healthCmd) Help() string {
	return `Exit status 0 means that the server can decide and record now, 1 that it cannot.

Examples:
  pdp health
  pdp health --addr 127.0.0.1:9000 --wait 10s`
}

// Run asks /readyz, until it is ready or the time is up.
func (c *healthCmd) Run(ctx context.Context, p *process) error {
	addr, err := dialable(c.Addr)
	if err != nil {
		return misuse{fmt.Errorf("--addr: %w; give host:port, such as 127.0.0.1:8181", err)}
	}
	deadline := time.Now().Add(c.Wait)
	for {
		err := c.ask(ctx, addr)
		if err == nil {
			_, err = fmt.Fprintln(p.stdout, "ready")
			return err
		}
		if ctx.Err() != nil || !time.Now().Before(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (c *healthCmd) ask(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return misuse{err}
	}
	// Straight to the server: a proxy from the environment would answer for itself.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s: %s", resp.Status, strings.TrimSpace(string(body)))
	}
	return nil
}

// dialable returns the loopback address for one that means every address of the machine.
func dialable(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port), nil
}
