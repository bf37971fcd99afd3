package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/rs/zerolog"
)

//go:embed demo/request.json
var demoRequest []byte

type demoCmd struct {
	Data string `placeholder:"DIR" help:"Data folder to record the decision in; without it, a temporary one."`
	policyFlag
}

// Help is shown by pdp demo --help.
func (demoCmd) Help() string {
	return `The server is the real one, on a free port of the loopback address, and it ends with the demo.

Examples:
  pdp demo
  pdp demo --data ./data`
}

// Run shows one decision from request to log entry.
func (c *demoCmd) Run(ctx context.Context, p *process) (err error) {
	data, where := c.Data, c.Data
	if data == "" {
		if data, err = os.MkdirTemp("", "earshot-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
		where = data + ", which goes with it"
	}
	service, err := open(ctx, serviceConfig{data: data, policy: c.Policy, file: new(configFile), logger: zerolog.Nop()})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	bound := make(chan net.Addr, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- service.serve(ctx, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, func(addr net.Addr) { bound <- addr })
	}()
	select {
	case addr := <-bound:
		err = show(ctx, p.stdout, "http://"+addr.String(), where)
		stop()
		return errors.Join(err, <-ended)
	case err := <-ended:
		return err
	}
}

// show asks the server at base and tells the story.
func show(ctx context.Context, w io.Writer, base, where string) error {
	fmt.Fprintf(w, "A server listens on %s and records in %s.\n\n", base, where)
	fmt.Fprintf(w, "Iris and Noor are listening. Retrieval found four items. Which of them may enter the prompt?\n\nPOST /v1/decisions?explain=true\n%s\n", demoRequest)

	answer, err := call(ctx, http.MethodPost, base+"/v1/decisions?explain=true", demoRequest)
	if err != nil {
		return err
	}
	var decided struct {
		ID string `json:"decision_id"`
	}
	if err := json.Unmarshal(answer, &decided); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	fmt.Fprintf(w, "Only what both of them heard comes in, or what is public; each result says why:\n\n%s\n\n", layout(answer))

	path := "/v1/decisions/" + decided.ID
	entry, err := call(ctx, http.MethodGet, base+path, nil)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "The decision was on disk before it was answered; this is the log entry, read back:\n\nGET %s\n%s\n", path, layout(entry))
	return err
}

// call makes one request and returns the body of a 200.
func call(ctx context.Context, method, url string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	// Straight to the server: a proxy from the environment would answer for itself.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %s: %s", method, url, resp.Status, text)
	}
	return text, nil
}
