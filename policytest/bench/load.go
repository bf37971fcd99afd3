package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// warmUps is how many requests go before those that count.
	warmUps = 20

	// coldBytes bounds the bodies that are made beforehand, and coldBodies their number.
	coldBytes  = 64 << 20
	coldBodies = 20_000
)

// measure asks a server at one point for a while.
func (s *server) measure(ctx context.Context, f *flags, p point, state string) (figures, error) {
	got := figures{System: s.name, point: p, State: state}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: f.Clients}}
	defer client.CloseIdleConnections()

	first, err := s.body(p, 0)
	if err != nil {
		return got, err
	}
	for range warmUps {
		answer, err := s.ask(ctx, client, first)
		if err != nil {
			return got, err
		}
		switch n, err := s.admitted(answer); {
		case err != nil:
			return got, fmt.Errorf("read the answer: %w: %.200s", err, answer)
		case n != p.admitted():
			return got, fmt.Errorf("it admits %d candidates and should admit %d: %.200s", n, p.admitted(), answer)
		}
	}
	bodies := [][]byte{first}
	if state == "cold" {
		bodies = nil
		salt := int(time.Now().UnixNano() % 1e9 * 1e5) // No run shares names with another.
		for size := 0; size < coldBytes && len(bodies) < coldBodies; size += len(first) {
			body, err := s.body(p, salt+len(bodies))
			if err != nil {
				return got, err
			}
			bodies = append(bodies, body)
		}
	}

	before, err := s.cpu()
	if err != nil {
		return got, err
	}
	begin := time.Now()
	took, err := s.ply(ctx, client, f, bodies, state == "cold")
	wall := time.Since(begin)
	if err != nil {
		return got, err
	}
	after, err := s.cpu()
	if err != nil {
		return got, err
	}
	if got.RSS, err = s.rss(); err != nil {
		return got, err
	}
	got.Requests = len(took)
	got.PerSecond = float64(len(took)) / wall.Seconds()
	got.CPU = micros(after-before) / float64(len(took))
	got.P50, got.P99 = quantile(took, 50), quantile(took, 99)
	return got, nil
}

// ply asks from several clients at once until the time is up, or, where each body is asked once, until
// there is none left. It returns how long each answer took.
func (s *server) ply(ctx context.Context, client *http.Client, f *flags, bodies [][]byte, once bool) ([]time.Duration, error) {
	deadline := time.Now().Add(f.Duration)
	var next atomic.Int64
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var clients sync.WaitGroup
	for range f.Clients {
		clients.Go(func() {
			var took []time.Duration
			var err error
			for time.Now().Before(deadline) && err == nil {
				i := int(next.Add(1) - 1)
				if once && i >= len(bodies) {
					break
				}
				begin := time.Now()
				if _, err = s.ask(ctx, client, bodies[i%len(bodies)]); err == nil {
					took = append(took, time.Since(begin))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			if failed == nil {
				failed = err
			}
		})
	}
	clients.Wait()
	if failed == nil && len(all) == 0 {
		failed = fmt.Errorf("no answer within %s", f.Duration)
	}
	return all, failed
}

func (s *server) ask(ctx context.Context, client *http.Client, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.300s", resp.Status, answer)
	}
	return answer, err
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// quantile returns the smallest duration that so many percent do not exceed, in microseconds.
func quantile(all []time.Duration, percent int) float64 {
	slices.Sort(all)
	return micros(all[(len(all)*percent+99)/100-1])
}
