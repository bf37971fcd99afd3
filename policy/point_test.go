package policy_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

func TestDecide(t *testing.T) {
	log := &memory{}
	p := newPoint(t, embedded(t), log)
	d := decide(t, p, turn("user:ben", "user:ann", "user:ann"),
		item("both", policy.Principals("user:ben", "user:ann", "user:cat")),
		item("ann's", policy.Principals("user:ann")),
	)

	want := []policy.Result{
		{ID: "both", Admit: true, Reasons: []string{"audience_covers_viewers"}, Obligations: []string{}},
		{ID: "ann's", Reasons: []string{"viewer_not_in_audience"}},
	}
	if diff := cmp.Diff(want, d.Results); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if len(log.entries) != 1 || !cmp.Equal(*log.entries[0], d.Entry) {
		t.Errorf("recorded %+v, answered %+v", log.entries, d.Entry)
	}
	admitted := d.Admitted()
	if len(admitted) != 1 || admitted[0].ItemID() != "both" || !admitted[0].Valid(p) {
		t.Errorf("admissions: %+v", admitted)
	}
	if got := admitted[0].ViewersDigest(); got != policy.ViewersDigest([]string{"user:ann", "user:ben"}) {
		t.Errorf("the admission is bound to viewers %s", got)
	}
}

func TestDecideAdmitsNothingThatIsNotRecorded(t *testing.T) {
	cause := errors.New("disk full")
	p := newPoint(t, embedded(t), &memory{err: cause})
	d, err := p.Decide(t.Context(), policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{item("m1", policy.Everybody())}})
	if d != nil || !errors.Is(err, policy.ErrNotRecorded) || !errors.Is(err, cause) {
		t.Errorf("got %v, %v", d, err)
	}
}

func TestDecideRecordsForACallerWhoHangsUp(t *testing.T) {
	ctx, hangUp := context.WithCancel(t.Context())
	log := &memory{}
	log.during = func(commit context.Context) {
		hangUp()
		if err := commit.Err(); err != nil {
			t.Errorf("the commit ended with the caller: %v", err)
		}
		if _, bounded := commit.Deadline(); !bounded {
			t.Error("the commit has no deadline of its own")
		}
	}
	p := newPoint(t, embedded(t), log)
	if _, err := p.Decide(ctx, policy.Request{Turn: turn("user:ann")}); err != nil || len(log.entries) != 1 {
		t.Errorf("error %v, %d entries", err, len(log.entries))
	}
}

func TestDecideStopsForACallerWhoIsGone(t *testing.T) {
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	log := &memory{}
	p := newPoint(t, embedded(t), log)
	_, err := p.Decide(ctx, policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{item("m1", policy.Everybody())}})
	if !errors.Is(err, context.Canceled) || errors.Is(err, policy.ErrPolicyUnavailable) || len(log.entries) != 0 {
		t.Errorf("error %v, %d entries", err, len(log.entries))
	}
}

func TestNewPointNamesWhatIsMissing(t *testing.T) {
	engine, err := policy.NewEngine(t.Context(), embedded(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, drop := range map[string]func(*policy.Config){
		"Engine":   func(c *policy.Config) { c.Engine = nil },
		"Recorder": func(c *policy.Config) { c.Recorder = nil },
		"Clock":    func(c *policy.Config) { c.Clock = nil },
		"NewID":    func(c *policy.Config) { c.NewID = nil },
	} {
		c := policy.Config{
			Engine: engine, Recorder: &memory{}, Clock: time.Now,
			NewID: func() (string, error) { return "1", nil },
		}
		drop(&c)
		if _, err := policy.NewPoint(c); err == nil || !strings.Contains(err.Error(), "Config."+name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
