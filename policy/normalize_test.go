package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"earshot/policy"
)

func TestDecideRefusesAMalformedTurn(t *testing.T) {
	for pointer, mutate := range map[string]func(*policy.Request){
		"/turn/agent":                func(r *policy.Request) { r.Turn.Agent = "" },
		"/turn/attempt":              func(r *policy.Request) { r.Turn.Attempt = 0 },
		"/turn/id":                   func(r *policy.Request) { r.Turn.ID = "a\u200bb" },
		"/turn/tenant":               func(r *policy.Request) { r.Turn.Tenant = "e\u0301" },
		"/turn/viewers_basis":        func(r *policy.Request) { r.Turn.ViewersBasis = "\xff" },
		"/turn/channel":              func(r *policy.Request) { r.Turn.Channel = "a\x00b" },
		"/turn/viewers/1":            func(r *policy.Request) { r.Turn.Viewers = []string{"user:ann", "*"} },
		"/turn/external_viewers/0":   func(r *policy.Request) { r.Turn.ExternalViewers = []string{"public"} },
		"/turn/revoked_viewers/0":    func(r *policy.Request) { r.Turn.RevokedViewers = []string{"user: ann"} },
		"/turn/evidence/0/viewers/0": func(r *policy.Request) { r.Turn.Evidence = []policy.Evidence{{Viewers: []string{""}}} },
		"/turn/evidence":             func(r *policy.Request) { r.Turn.Evidence = make([]policy.Evidence, policy.MaxEvidence+1) },
		"/turn/evidence/1/source": func(r *policy.Request) {
			r.Turn.Evidence = []policy.Evidence{{}, {Source: strings.Repeat("a", policy.MaxLabel+1)}}
		},
		"/turn/evidence/2/viewers/1": func(r *policy.Request) {
			r.Turn.Evidence = []policy.Evidence{{}, {}, {Viewers: []string{"user:ann", "tenant"}}}
		},
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

// Each of these is wrong in another way than the one of its pointer above.
func TestDecideRefusesATurnThatNamesNobody(t *testing.T) {
	for name, test := range map[string]struct {
		mutate  func(*policy.Turn)
		pointer string
	}{
		"an audience as the agent":        {func(r *policy.Turn) { r.Agent = "tenant" }, "/turn/agent"},
		"attributes that are no JSON":     {func(r *policy.Turn) { r.Attributes = []byte(`{"a": `) }, "/turn/attributes"},
		"attributes that are text":        {func(r *policy.Turn) { r.Attributes = []byte(`"{}"`) }, "/turn/attributes"},
		"attributes of a byte too many":   {func(r *policy.Turn) { r.Attributes = attributes(policy.MaxAttributes + 1) }, "/turn/attributes"},
		"an attempt before the first one": {func(r *policy.Turn) { r.Attempt = -1 }, "/turn/attempt"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &memory{}
			asked := turn("user:ann")
			test.mutate(&asked)
			_, err := newPoint(t, embedded(t), log).Decide(t.Context(), policy.Request{Turn: asked})
			if invalid, ok := errors.AsType[*policy.InvalidError](err); !ok || invalid.Pointer != test.pointer || len(log.entries) != 0 {
				t.Errorf("got %v with %d entries, want %s", err, len(log.entries), test.pointer)
			}
		})
	}
}

// attributes returns a JSON object of n bytes.
func attributes(n int) []byte {
	const empty = `{"a":""}`
	return []byte(`{"a":"` + strings.Repeat("x", n-len(empty)) + `"}`)
}

func TestDecideTakesATurnAtEveryLimit(t *testing.T) {
	longest := strings.Repeat("a", policy.MaxLabel)
	full := turn("user:ann")
	full.ID, full.Tenant, full.Channel, full.ViewersBasis = longest, longest, longest, longest
	full.Evidence = make([]policy.Evidence, policy.MaxEvidence)
	full.Evidence[0].Source = longest
	full.Attributes = attributes(policy.MaxAttributes)
	d := decide(t, newPoint(t, embedded(t), &memory{}), full)
	if len(d.Request.Turn.Evidence) != policy.MaxEvidence {
		t.Errorf("%d readings", len(d.Request.Turn.Evidence))
	}

	// White space between the members is not counted.
	full.Attributes = append(append([]byte("{ "), full.Attributes[1:len(full.Attributes)-1]...), " \n}"...)
	d = decide(t, newPoint(t, embedded(t), &memory{}), full)
	if got := len(d.Request.Turn.Attributes); got != policy.MaxAttributes {
		t.Errorf("attributes of %d bytes", got)
	}
}

// An absent list and an empty one differ: nobody said who is there, or nobody is there.
func TestDecideKeepsAbsentAndEmptyViewersApart(t *testing.T) {
	absent, empty := turn(), turn()
	empty.Viewers = []string{}
	p := newPoint(t, embedded(t), &memory{})
	if got := decide(t, p, absent); got.Request.Turn.Viewers != nil || !slices.Equal(got.Viewers.Reasons, []string{"viewers_missing"}) {
		t.Errorf("absent: %v, %v", got.Request.Turn.Viewers, got.Viewers.Reasons)
	}
	if got := decide(t, p, empty); got.Request.Turn.Viewers == nil || !slices.Equal(got.Viewers.Reasons, []string{"viewers_empty"}) {
		t.Errorf("empty: %v, %v", got.Request.Turn.Viewers, got.Viewers.Reasons)
	}
}

// The limits are part of what callers rely on: no change of one goes unseen.
func TestLimitsStayAsTheyAre(t *testing.T) {
	got := []int{policy.MaxName, policy.MaxLabel, policy.MaxAttributes, policy.MaxEvidence, policy.MaxSources, policy.MaxSourceDepth}
	if want := []int{256, 1024, 65_536, 100, 10_000, 32}; !slices.Equal(got, want) {
		t.Errorf("name, label, attributes, evidence, sources, depth: %v, want %v", got, want)
	}
}
