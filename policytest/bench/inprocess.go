package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"earshot/policy"
	"earshot/server/wire"
)

var errWrongCount = errors.New("another number of candidates covers the viewers")

// measureInProcess measures what a decision takes without a server: each way on one goroutine.
func measureInProcess(p point, duration time.Duration, dir string) (all []figures, err error) {
	body, err := p.ours(0)
	if err != nil {
		return nil, err
	}
	line, _, err := floor(body)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "append"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	counted := func(decide func([]byte) ([]byte, int, error)) func() error {
		return func() error {
			if _, n, err := decide(body); err != nil || n != p.admitted() {
				return errors.Join(err, fmt.Errorf("%w: %d and not %d", errWrongCount, n, p.admitted()))
			}
			return nil
		}
	}
	for _, way := range []struct {
		name string
		once func() error
	}{
		{"floor in process", counted(floor)},
		{"ordinary Go in process", counted(ordinary)},
		{"append + fdatasync", func() error {
			if _, err := file.Write(append(line, '\n')); err != nil {
				return err
			}
			return unix.Fdatasync(int(file.Fd()))
		}},
	} {
		got, err := repeat(way.name, p, duration, way.once)
		if err != nil {
			return all, fmt.Errorf("%s: %w", way.name, err)
		}
		all = append(all, got)
	}
	return all, nil
}

// repeat does something for a while, one after the other.
func repeat(name string, p point, duration time.Duration, once func() error) (figures, error) {
	got := figures{System: name, point: p, State: "warm"}
	if err := once(); err != nil {
		return got, err
	}
	before, err := ownCPU()
	if err != nil {
		return got, err
	}
	var took []time.Duration
	begin := time.Now()
	for len(took) == 0 || time.Since(begin) < duration {
		start := time.Now()
		if err := once(); err != nil {
			return got, err
		}
		took = append(took, time.Since(start))
	}
	wall := time.Since(begin)
	after, err := ownCPU()
	if err != nil {
		return got, err
	}
	got.Requests = len(took)
	got.PerSecond = float64(len(took)) / wall.Seconds()
	got.CPU = micros(after-before) / float64(len(took))
	got.P50, got.P99 = quantile(took, 50), quantile(took, 99)
	return got, nil
}

func ownCPU() (time.Duration, error) {
	var usage unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}

// floor is the least that a decision can take: this service's decoder, the subset test and nothing else
// of the policy, an answer put together by hand.
func floor(body []byte) (answer []byte, admitted int, err error) {
	req, err := wire.DecodeDecision(body, wire.DefaultLimits())
	if err != nil {
		return nil, 0, err
	}
	slices.Sort(req.Turn.Viewers)
	answer = append(answer, `{"results":[`...)
	for i := range req.Candidates {
		c := &req.Candidates[i]
		slices.Sort(c.Audience.Members)
		admit := c.Audience.Kind == policy.AudienceList
		for _, viewer := range req.Turn.Viewers {
			_, has := slices.BinarySearch(c.Audience.Members, viewer)
			admit = admit && has
		}
		if i > 0 {
			answer = append(answer, ',')
		}
		answer = append(answer, `{"id":`...)
		answer = strconv.AppendQuote(answer, c.ID)
		answer = append(answer, `,"admit":`...)
		answer = strconv.AppendBool(answer, admit)
		answer = append(answer, '}')
		if admit {
			admitted++
		}
	}
	return append(answer, `]}`...), admitted, nil
}

// ordinary is the same as most Go code would do it.
func ordinary(body []byte) (answer []byte, admitted int, err error) {
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, 0, err
	}
	type result struct {
		ID    string `json:"id"`
		Admit bool   `json:"admit"`
	}
	results := make([]result, 0, len(req.Candidates))
	for _, c := range req.Candidates {
		members := make(map[string]bool, len(c.Audience))
		for _, name := range c.Audience {
			members[name] = true
		}
		admit := true
		for _, viewer := range req.Turn.Viewers {
			admit = admit && members[viewer]
		}
		if admit {
			admitted++
		}
		results = append(results, result{ID: c.ID, Admit: admit})
	}
	answer, err = json.Marshal(map[string]any{"results": results})
	return answer, admitted, err
}
