package policy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// registry is a Registry that is a function.
type registry func(context.Context, *policy.Request) (policy.Facts, error)

func (r registry) Facts(ctx context.Context, req *policy.Request) (policy.Facts, error) {
	return r(ctx, req)
}

// configured returns a Point over the embedded policy with the configuration changed.
func configured(t *testing.T, change func(*policy.Config)) *policy.Point {
	t.Helper()
	c := policy.Config{
		Engine: embeddedEngine(t), Recorder: &memory{},
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "1", nil },
	}
	change(&c)
	p, err := policy.NewPoint(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTimeLimits reads the deadlines that the registry and the recorder are given. Each counts from a
// moment during the call, so it lies between two that are known.
func TestTimeLimits(t *testing.T) {
	for name, test := range map[string]struct {
		decide, commit         time.Duration
		wantDecide, wantCommit time.Duration
	}{
		"as shipped": {0, 0, 15 * time.Second, 10 * time.Second},
		"as set":     {2 * time.Hour, time.Hour, 2 * time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			var deciding, committing time.Time
			log := &memory{during: func(ctx context.Context) { committing, _ = ctx.Deadline() }}
			p := configured(t, func(c *policy.Config) {
				c.Recorder, c.DecideTimeout, c.CommitTimeout = log, test.decide, test.commit
				c.Registry = registry(func(ctx context.Context, _ *policy.Request) (policy.Facts, error) {
					deciding, _ = ctx.Deadline()
					return policy.Facts{}, nil
				})
			})
			before := time.Now()
			decide(t, p, turn("user:ann"))
			after := time.Now()
			for what, limit := range map[string]struct {
				got  time.Time
				want time.Duration
			}{"decide": {deciding, test.wantDecide}, "commit": {committing, test.wantCommit}} {
				if limit.got.Before(before.Add(limit.want)) || limit.got.After(after.Add(limit.want)) {
					t.Errorf("the deadline to %s is %v after the call began, want %v", what, limit.got.Sub(before), limit.want)
				}
			}
		})
	}
}

// The registry is asked for a caller who waits; nobody is kept waiting for one who is gone.
func TestTheRegistryStopsForACallerWhoIsGone(t *testing.T) {
	ctx, hangUp := context.WithCancel(t.Context())
	log := &memory{}
	p := configured(t, func(c *policy.Config) {
		c.Recorder = log
		c.Registry = registry(func(ctx context.Context, _ *policy.Request) (policy.Facts, error) {
			hangUp()
			return policy.Facts{}, ctx.Err()
		})
	})
	if d, err := p.Decide(ctx, policy.Request{Turn: turn("user:ann")}); d != nil || !errors.Is(err, context.Canceled) || len(log.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(log.entries))
	}
}

func TestDecideIsUnavailableWithoutItsRegistry(t *testing.T) {
	cause := errors.New("no such table")
	log := &memory{}
	p := configured(t, func(c *policy.Config) {
		c.Recorder = log
		c.Registry = registry(func(context.Context, *policy.Request) (policy.Facts, error) { return policy.Facts{}, cause })
	})
	d, err := p.Decide(t.Context(), policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{item("m1", policy.Everybody())}})
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || !errors.Is(err, cause) || len(log.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(log.entries))
	}
}

// The registry is asked about the request that is decided, and not about what a caller wrote.
func TestTheRegistryIsAskedInNormalForm(t *testing.T) {
	var asked []string
	p := configured(t, func(c *policy.Config) {
		c.Registry = registry(func(_ context.Context, req *policy.Request) (policy.Facts, error) {
			asked = req.Turn.Viewers
			return policy.Facts{}, nil
		})
	})
	decide(t, p, turn("user:ben", "user:ann", "user:ben"))
	if diff := cmp.Diff([]string{"user:ann", "user:ben"}, asked); diff != "" {
		t.Errorf("(-want +asked):\n%s", diff)
	}
}

func TestDecideNeedsAnID(t *testing.T) {
	cause := errors.New("no random numbers")
	log := &memory{}
	p := configured(t, func(c *policy.Config) {
		c.Recorder, c.NewID = log, func() (string, error) { return "", cause }
	})
	if d, err := p.Decide(t.Context(), policy.Request{Turn: turn("user:ann")}); d != nil || !errors.Is(err, cause) || len(log.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(log.entries))
	}
}

// TestAnEntrySaysWhenAndByWhat has a clock of another zone that is finer than the record.
func TestAnEntrySaysWhenAndByWhat(t *testing.T) {
	engine := embeddedEngine(t)
	log := &memory{}
	p := configured(t, func(c *policy.Config) {
		c.Engine, c.Recorder = engine, log
		c.Clock = func() time.Time { return noon.Add(123_456_999).In(time.FixedZone("", 3600)) }
	})
	decide(t, p, turn("user:ann"))
	d := decide(t, p, turn("user:ann"))
	if want := noon.Add(123_456_000); !d.At.Equal(want) || d.At.Location() != time.UTC {
		t.Errorf("at %v, want %v", d.At, want)
	}
	if d.ID != "1" || d.PolicyRevision != engine.Revision() || d.Log.Index != 1 {
		t.Errorf("id %q, revision %q, index %d", d.ID, d.PolicyRevision, d.Log.Index)
	}
}
