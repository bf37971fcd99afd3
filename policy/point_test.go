package policy_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// memory is a Recorder that keeps entries, or fails with err.
type memory struct {
	entries []*policy.Entry
	err     error
	during  func(context.Context)
}

func (m *memory) Record(ctx context.Context, e *policy.Entry) (policy.Position, error) {
	if m.during != nil {
		m.during(ctx)
	}
	if m.err != nil {
		return policy.Position{}, m.err
	}
	m.entries = append(m.entries, e)
	return policy.Position{Index: uint64(len(m.entries) - 1)}, nil
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newPoint(t testing.TB, b *policy.Bundle, r policy.Recorder) *policy.Point {
	t.Helper()
	engine, err := policy.NewEngine(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: r,
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "00000000-0000-7000-8000-000000000000", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

func embedded(t *testing.T) *policy.Bundle {
	t.Helper()
	b, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// turn is scribe's turn before these viewers.
func turn(viewers ...string) policy.Turn {
	return policy.Turn{Agent: "agent:scribe", Attempt: 1, Viewers: viewers, ViewersBasis: policy.BasisPlatform}
}

// item is scribe's own live fact with this audience.
func item(id string, a policy.Audience) policy.Candidate {
	return policy.Candidate{
		ID: id, Audience: a, AudienceBasis: policy.BasisRecorded, Agent: "agent:scribe",
		Kind: policy.KindFact, State: policy.StateLive,
	}
}

func decide(t *testing.T, p *policy.Point, turn policy.Turn, candidates ...policy.Candidate) *policy.Decision {
	t.Helper()
	d, err := p.Decide(t.Context(), policy.Request{Turn: turn, Candidates: candidates})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

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
	if !errors.Is(err, context.Canceled) || len(log.entries) != 0 {
		t.Errorf("error %v, %d entries", err, len(log.entries))
	}
}

func TestDecideRefusesAMalformedTurn(t *testing.T) {
	for pointer, mutate := range map[string]func(*policy.Request){
		"/turn/agent":                      func(r *policy.Request) { r.Turn.Agent = "" },
		"/turn/attempt":                    func(r *policy.Request) { r.Turn.Attempt = 0 },
		"/turn/channel":                    func(r *policy.Request) { r.Turn.Channel = "a\x00b" },
		"/turn/viewers/1":                  func(r *policy.Request) { r.Turn.Viewers = []string{"user:ann", "*"} },
		"/turn/external_viewers/0":         func(r *policy.Request) { r.Turn.ExternalViewers = []string{"public"} },
		"/turn/revoked_viewers/0":          func(r *policy.Request) { r.Turn.RevokedViewers = []string{"user: ann"} },
		"/turn/evidence/0/viewers/0":       func(r *policy.Request) { r.Turn.Evidence = []policy.Evidence{{Viewers: []string{""}}} },
		"/turn/evidence":                   func(r *policy.Request) { r.Turn.Evidence = make([]policy.Evidence, policy.MaxEvidence+1) },
		"/turn/attributes":                 func(r *policy.Request) { r.Turn.Attributes = []byte(`[]`) },
		"/inheritance/authorized_agents/0": func(r *policy.Request) { r.Inheritance.AuthorizedAgents = []string{"tenant"} },
	} {
		t.Run(pointer, func(t *testing.T) {
			log := &memory{}
			req := policy.Request{Turn: turn("user:ann")}
			mutate(&req)
			_, err := newPoint(t, embedded(t), log).Decide(t.Context(), req)
			var invalid *policy.InvalidError
			if !errors.As(err, &invalid) || !errors.Is(err, policy.ErrInvalidRequest) || invalid.Pointer != pointer {
				t.Errorf("got %v, want %s", err, pointer)
			}
			if len(log.entries) != 0 {
				t.Error("it was recorded")
			}
		})
	}
}

func TestDecideDeniesAMalformedCandidateAlone(t *testing.T) {
	mutations := map[string]func(*policy.Candidate){
		"id":         func(c *policy.Candidate) { c.ID = "a b" },
		"audience":   func(c *policy.Candidate) { c.Audience = policy.Principals("user:ann", "*") },
		"agent":      func(c *policy.Candidate) { c.Agent = "public" },
		"kind":       func(c *policy.Candidate) { c.Kind = "rumour" },
		"digest":     func(c *policy.Candidate) { c.Digest = "sha256:ABC" },
		"tenant":     func(c *policy.Candidate) { c.Tenant = "a\u200bb" },
		"attributes": func(c *policy.Candidate) { c.Attributes = []byte(`{"a":`) },
		"sources/0/agent": func(c *policy.Candidate) {
			c.Sources = []policy.Source{{Agent: "*", Audience: policy.Everybody(), State: "live"}}
		},
		"sources/0/audience": func(c *policy.Candidate) {
			c.Sources = []policy.Source{{Audience: policy.Principals("e\u0301"), State: "live"}}
		},
	}
	for field, mutate := range mutations {
		t.Run(field, func(t *testing.T) {
			bad := item("bad", policy.Principals("user:ann"))
			mutate(&bad)
			p := newPoint(t, embedded(t), &memory{})
			d := decide(t, p, turn("user:ann"), bad, item("good", policy.Principals("user:ann")))
			if diff := cmp.Diff([]string{policy.CodeMalformed}, d.Results[0].Reasons); diff != "" || d.Results[0].Admit {
				t.Errorf("bad: %+v", d.Results[0])
			}
			if !d.Results[1].Admit {
				t.Errorf("good: %+v", d.Results[1])
			}
			faults := p.Explain(d, 0).Faults
			if len(faults) != 1 || faults[0].Field != field {
				t.Errorf("faults %+v, want one of %s", faults, field)
			}
		})
	}
}

func TestDecideFlattensSources(t *testing.T) {
	inner := []policy.Source{
		{ID: "s1", Audience: policy.Principals("user:ann"), State: "live"},
		{ID: "s2", Audience: policy.Principals("user:ann", "user:ben"), State: "live"},
	}
	sum := item("sum", policy.Audience{Kind: policy.AudienceInherited})
	sum.Kind = "summary"
	sum.Sources = []policy.Source{{ID: "outer", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: "live", Sources: inner}}
	d := decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), sum)
	if !d.Results[0].Admit {
		t.Errorf("covered by both inner sources: %+v", d.Results[0])
	}
	var ids []string
	for _, s := range d.Request.Candidates[0].Sources {
		ids = append(ids, s.ID)
	}
	if !slices.Equal(ids, []string{"outer", "s1", "s2"}) {
		t.Errorf("flattened to %v", ids)
	}

	sum.Sources[0].State = "erased"
	d = decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), sum)
	if diff := cmp.Diff([]string{"source_not_live"}, d.Results[0].Reasons); diff != "" {
		t.Errorf("an erased parent of live sources (-want +got):\n%s", diff)
	}
}

func TestDecideLeavesTheRequestAlone(t *testing.T) {
	req := policy.Request{
		Turn:       turn("user:ben", "user:ann"),
		Candidates: []policy.Candidate{item("m 1", policy.Audience{Kind: policy.AudienceList, Members: []string{"user:b", "user:a"}})},
	}
	if _, err := newPoint(t, embedded(t), &memory{}).Decide(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if req.Turn.Viewers[0] != "user:ben" || req.Candidates[0].Audience.Members[0] != "user:b" || req.Candidates[0].Faults != nil {
		t.Errorf("changed to %+v", req)
	}
}

func TestFarInstantsDoNotWrapAround(t *testing.T) {
	never := item("never", policy.Everybody())
	never.ExpiresAt = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	long := item("long-gone", policy.Everybody())
	long.ExpiresAt = time.Date(1066, 10, 14, 0, 0, 0, 0, time.UTC)
	epoch := item("epoch", policy.Everybody())
	epoch.ExpiresAt = time.Unix(0, 0)
	d := decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), never, long, epoch)
	var got []bool
	for _, r := range d.Results {
		got = append(got, r.Admit)
	}
	if !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("admitted %v", got)
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
