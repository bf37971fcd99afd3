package policy_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"

	"earshot/policy"
)

// TestDigestsAreOfCanonicalJSON compares each digest with that of a text which an implementation of
// RFC 8785 leaves as it is.
func TestDigestsAreOfCanonicalJSON(t *testing.T) {
	odd := policy.Principals("user:<é>&\"\\", "user:a")
	sources := []policy.Source{
		{
			ID: "s1", Audience: policy.Audience{Kind: policy.AudienceInherited}, Agent: "agent:x", Confidential: policy.Confidential,
			State:   "erased",
			Sources: []policy.Source{{ID: "s2", Audience: odd, Tenant: "acme", Confidential: policy.NotConfidential}},
		},
		{Audience: policy.Everybody(), ExpiresAt: noon.Add(time.Millisecond)},
	}
	const oddText = `["user:<é>&\"\\","user:a"]`
	for _, test := range []struct{ got, text string }{
		{policy.AudienceDigest(policy.Audience{}), `[]`},
		{policy.AudienceDigest(policy.Everybody()), `"public"`},
		{policy.AudienceDigest(policy.WholeTenant()), `"tenant"`},
		{policy.AudienceDigest(policy.Audience{Kind: policy.AudienceInherited}), `null`},
		{policy.AudienceDigest(policy.Principals("public")), `["public"]`},
		{policy.AudienceDigest(odd), oddText},
		{policy.SourcesDigest(nil), `[]`},
		{policy.SourcesDigest([]policy.Source{}), `[]`},
		{policy.SourcesDigest(sources), `[{"agent":"agent:x","audience":null,"confidential":true,"expires_at":"","id":"s1","tenant":""},` +
			`{"agent":"","audience":` + oddText + `,"confidential":false,"expires_at":"","id":"s2","tenant":"acme"},` +
			`{"agent":"","audience":"public","confidential":null,"expires_at":"2026-11-30T12:00:00.001Z","id":"","tenant":""}]`},
	} {
		// The canonicalizer takes objects and arrays only.
		wrapped, err := jcs.Transform([]byte(`[` + test.text + `]`))
		if err != nil || string(wrapped) != `[`+test.text+`]` {
			t.Errorf("%s is not canonical: %s, %v", test.text, wrapped, err)
		}
		sum := sha256.Sum256([]byte(test.text))
		if want := "sha256:" + hex.EncodeToString(sum[:]); test.got != want {
			t.Errorf("%s: got %s, want %s", test.text, test.got, want)
		}
	}
	flat := []policy.Source{sources[0], sources[0].Sources[0], sources[1]}
	flat[0].Sources = nil
	if policy.SourcesDigest(flat) != policy.SourcesDigest(sources) {
		t.Error("flattened sources have another digest")
	}
}

// witness is a Seals that knows one seal, or fails with err.
type witness struct {
	sealed policy.Sealed
	err    error
	during func()
}

func (w witness) Verify(_ context.Context, seal string) (policy.Sealed, error) {
	if w.during != nil {
		w.during()
	}
	if seal != "good" {
		return policy.Sealed{}, errors.Join(policy.ErrSeal, errors.New("of another make"))
	}
	return w.sealed, w.err
}

func (w witness) Labels(context.Context, string) (policy.Audience, []policy.Source, error) {
	return policy.Audience{}, nil, policy.ErrSeal
}

// vouching is a Registry that says every seal is valid.
type vouching struct{}

func (vouching) Facts(_ context.Context, req *policy.Request) (policy.Facts, error) {
	seals := map[int]policy.SealCheck{}
	for i := range req.Candidates {
		seals[i] = policy.SealCheck{Status: policy.SealValid}
	}
	return policy.Facts{Seals: seals}, nil
}

func sealsPoint(t *testing.T, seals policy.Seals, registry policy.Registry) *policy.Point {
	t.Helper()
	engine, err := policy.NewEngine(t.Context(), embedded(t))
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: &memory{}, Seals: seals, Registry: registry,
		Clock: func() time.Time { return noon }, NewID: func() (string, error) { return "id", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

// TestWhoVouchesForASeal: with keys only they do; without them no seal stands, save where the registry
// repeats what was recorded.
func TestWhoVouchesForASeal(t *testing.T) {
	c := item("m1", policy.Principals("user:ann"))
	c.Digest = "sha256:" + hex.EncodeToString(make([]byte, 32))
	good := witness{sealed: policy.NewSealed("s/0", noon, &c)}
	for name, test := range map[string]struct {
		seal     string
		seals    policy.Seals
		registry policy.Registry
		want     []string
		checked  map[int]policy.SealCheck
	}{
		"no seal":                    {"", good, vouching{}, []string{"audience_covers_viewers"}, nil},
		"no keys":                    {"good", nil, nil, []string{"seal_invalid"}, map[int]policy.SealCheck{0: {Differs: "signature"}}},
		"keys":                       {"good", good, nil, []string{"audience_covers_viewers"}, map[int]policy.SealCheck{0: {Status: policy.SealValid}}},
		"keys against the registry":  {"bad", good, vouching{}, []string{"seal_invalid"}, map[int]policy.SealCheck{0: {Differs: "signature"}}},
		"the registry, without keys": {"bad", nil, vouching{}, []string{"audience_covers_viewers"}, map[int]policy.SealCheck{0: {Status: policy.SealValid}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := c
			c.Seal = test.seal
			p := sealsPoint(t, test.seals, test.registry)
			d := decide(t, p, turn("user:ann"), c)
			if got := d.Results[0]; !slices.Equal(got.Reasons, test.want) {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(test.checked, d.Facts.Seals); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
			if got := p.Explain(d, 0).SealDiffers; got != test.checked[0].Differs {
				t.Errorf("explained as %q", got)
			}
		})
	}
}

// TestASealThatCannotBeLookedUp ends the request; nothing is decided.
func TestASealThatCannotBeLookedUp(t *testing.T) {
	c := item("m1", policy.Everybody())
	c.Seal = "good"
	cause := errors.New("no keys at hand")
	d, err := sealsPoint(t, witness{err: cause}, nil).Decide(t.Context(), policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{c}})
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || !errors.Is(err, cause) {
		t.Errorf("got %+v, %v", d, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	d, err = sealsPoint(t, witness{during: cancel}, nil).Decide(ctx, policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{c}})
	if d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %+v, %v for a caller who hung up", d, err)
	}
}

// TestTheRequestIsLeftAlone: labels are filled into the entry and not into what the caller handed in.
func TestTheRequestIsLeftAlone(t *testing.T) {
	whole := item("m1", policy.WholeTenant())
	whole.Kind = "document"
	bare := policy.Candidate{ID: "m1", State: policy.StateLive, Seal: "good", Unstated: policy.LabelAudience |
		policy.LabelAudienceBasis | policy.LabelShared | policy.LabelKind | policy.LabelSources}
	before := bare
	bare.Kind, before.Kind = policy.KindFact, policy.KindFact
	asked := []policy.Candidate{bare}
	d := decide(t, sealsPoint(t, witness{sealed: policy.NewSealed("s/0", noon, &whole)}, nil), turn("user:ann"), asked...)
	if got := d.Request.Candidates[0]; !d.Results[0].Admit || got.Kind != "document" || got.Audience.Kind != policy.AudienceTenant || got.Unstated != 0 {
		t.Errorf("got %+v, %+v", d.Results[0], got)
	}
	if diff := cmp.Diff(before, asked[0]); diff != "" {
		t.Errorf("the request (-before +after):\n%s", diff)
	}
}

// TestSealableBounds holds the audience of an item to what its sources have in common.
func TestSealableBounds(t *testing.T) {
	inherited := policy.Audience{Kind: policy.AudienceInherited}
	list := policy.Principals
	for _, test := range []struct {
		audience policy.Audience
		sources  []policy.Audience
		want     bool
	}{
		{list("a"), nil, true},
		{policy.Everybody(), nil, true},
		{policy.WholeTenant(), nil, true},
		{policy.Audience{}, nil, false},
		{inherited, nil, false},
		{inherited, []policy.Audience{list("a", "b"), list("b", "c")}, true},
		{inherited, []policy.Audience{list("a"), list("c")}, false},
		{inherited, []policy.Audience{policy.WholeTenant(), policy.Everybody()}, true},
		{inherited, []policy.Audience{policy.Everybody(), {}}, false},
		{list("b"), []policy.Audience{list("a", "b"), list("b", "c")}, true},
		{list("a", "b"), []policy.Audience{list("a", "b"), list("b", "c")}, false},
		{list("a"), []policy.Audience{policy.WholeTenant(), policy.Everybody()}, true},
		{list("a"), []policy.Audience{policy.WholeTenant(), list("b")}, false},
		{list("a"), []policy.Audience{list("b"), policy.WholeTenant()}, false},
		{policy.WholeTenant(), []policy.Audience{policy.Everybody(), policy.WholeTenant()}, true},
		{policy.WholeTenant(), []policy.Audience{policy.Everybody(), list("a")}, false},
		{policy.Everybody(), []policy.Audience{policy.Everybody()}, true},
		{policy.Everybody(), []policy.Audience{policy.Everybody(), policy.WholeTenant()}, false},
		{list("a"), []policy.Audience{list("b"), list("c")}, false},
	} {
		c := item("m1", test.audience)
		c.Digest = "sha256:" + hex.EncodeToString(make([]byte, 32))
		for _, a := range test.sources {
			c.Sources = append(c.Sources, policy.Source{Audience: a, State: policy.StateLive})
		}
		_, err := policy.Sealable("/items/0", "", c, noon)
		if (err == nil) != test.want {
			t.Errorf("%v over %v: %v", test.audience, test.sources, err)
		}
		if err != nil && !errors.Is(err, policy.ErrInvalidRequest) {
			t.Errorf("%v is not policy.ErrInvalidRequest", err)
		}
	}
}

// TestSealableBoundsBySourcesOfSources: a source that leaves its audience to its own sources is as narrow
// as they are.
func TestSealableBoundsBySourcesOfSources(t *testing.T) {
	for member, want := range map[string]bool{"a": true, "b": false} {
		c := item("m1", policy.Principals("a"))
		c.Digest = "sha256:" + hex.EncodeToString(make([]byte, 32))
		c.Sources = []policy.Source{{
			Audience: policy.Audience{Kind: policy.AudienceInherited}, State: policy.StateLive,
			Sources: []policy.Source{{Audience: policy.Principals(member, "c"), State: policy.StateLive}},
		}}
		if _, err := policy.Sealable("/items/0", "", c, noon); (err == nil) != want {
			t.Errorf("over %s: %v", member, err)
		}
	}
}
