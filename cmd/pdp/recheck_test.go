package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"earshot/policy"

	"github.com/rs/zerolog"
)

// nothing is a recorder that keeps nothing.
type nothing struct{ err error }

func (n nothing) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, n.err
}

func (n nothing) RecordHandoff(context.Context, *policy.HandoffEntry) (policy.Position, error) {
	return policy.Position{}, n.err
}

// TestRecheckTakesASample holds that one in so many is rechecked, that a full queue holds up nobody, and
// that what was not recorded is left out.
func TestRecheckTakesASample(t *testing.T) {
	engine, err := openPolicy(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	r := newRechecker(engine, nothing{}, zerolog.Nop())
	for range recheckEvery - 1 {
		if _, err := r.Record(t.Context(), &policy.Entry{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.queue) != 0 {
		t.Fatalf("%d in the queue before their turn", len(r.queue))
	}
	for range recheckEvery * (recheckQueue + 3) { // Nobody works it off, and still it returns.
		if _, err := r.Record(t.Context(), &policy.Entry{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.queue) != recheckQueue {
		t.Errorf("%d in the queue, want %d", len(r.queue), recheckQueue)
	}

	refused := errors.New("no space")
	r = newRechecker(engine, nothing{refused}, zerolog.Nop())
	r.every = 1
	if _, err := r.Record(t.Context(), &policy.Entry{}); !errors.Is(err, refused) || len(r.queue) != 0 {
		t.Errorf("got %v and %d in the queue", err, len(r.queue))
	}
}

// TestRecheckTellsADifference lets rechecks find nothing, a difference and a failure.
func TestRecheckTellsADifference(t *testing.T) {
	var log bytes.Buffer
	answers := []error{nil, errors.Join(policy.ErrDisagree, errors.New("about user:ann")), errors.New("no time")}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan struct{})
	r := &rechecker{recorder: nothing{}, every: 1, queue: make(chan *policy.Entry, len(answers)), logger: zerolog.New(&log)}
	asked := 0
	r.recheck = func(context.Context, *policy.Entry) error {
		asked++
		if asked == len(answers) {
			defer close(done)
		}
		return answers[asked-1]
	}
	for _, id := range []string{"one", "two", "three"} {
		if _, err := r.Record(ctx, &policy.Entry{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan struct{})
	go func() { defer close(ended); r.run(ctx) }()
	<-done
	stop()
	<-ended
	if got := r.differences.Load(); got != 1 {
		t.Errorf("%d differences, want 1", got)
	}
	text := log.String()
	if !strings.Contains(text, `"decision_id":"two"`) || strings.Contains(text, `"decision_id":"one"`) {
		t.Errorf("got the log %s", text)
	}
	if strings.Contains(text, "user:ann") {
		t.Errorf("the log names people: %s", text)
	}
}
