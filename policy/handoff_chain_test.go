package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// from is a shared fact of an agent that went through these hands.
func elementFrom(id, agent string, hands ...string) policy.ElementSource {
	return policy.ElementSource{
		ID: id, Source: agent, Shared: true, Confidential: policy.NotConfidential, Kind: policy.KindFact, InheritedVia: hands,
	}
}

// summary is a shared summary of an agent over sources.
func summary(id, agent string, sources ...policy.ElementSource) policy.Element {
	return policy.Element{
		ID: id, Source: agent, Shared: true, Confidential: policy.NotConfidential, Kind: "summary", Sources: sources,
	}
}

// summarised is the same as a source of another one.
func summarised(id, agent string, sources ...policy.ElementSource) policy.ElementSource {
	s := elementFrom(id, agent)
	s.Kind, s.Sources = "summary", sources
	return s
}

// Two summaries by agents that the heir trusts do not wash what a third one keeps to itself: every hand on
// the way is authorised, and both summaries are labelled as open to all.
func TestSummariesDoNotLaunder(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	for name, c := range map[string]struct {
		change func(s *policy.ElementSource)
		want   []string
	}{
		"an open source":           {func(*policy.ElementSource) {}, nil},
		"a confidential one":       {func(s *policy.ElementSource) { s.Confidential = policy.Confidential }, []string{"confidential_from_other_agent"}},
		"not stated":               {func(s *policy.ElementSource) { s.Confidential = policy.ConfidentialityUnstated }, []string{"confidential_from_other_agent"}},
		"not shared":               {func(s *policy.ElementSource) { s.Shared = false }, []string{"unshared_from_other_agent"}},
		"not authorised":           {func(s *policy.ElementSource) { s.Source = "agent:hr" }, []string{"agent_not_authorized"}},
		"through a stranger":       {func(s *policy.ElementSource) { s.InheritedVia = []string{"agent:hr"} }, []string{"agent_not_authorized"}},
		"nobody's":                 {func(s *policy.ElementSource) { s.Source = "" }, []string{"unattributed"}},
		"a directive":              {func(s *policy.ElementSource) { s.Kind = "directive" }, []string{"foreign_directive"}},
		"the heir's own directive": {func(s *policy.ElementSource) { s.Source, s.Kind = "agent:billing", "directive" }, []string{"foreign_directive"}},
		"the heir's own, and secret": {func(s *policy.ElementSource) {
			s.Source, s.Shared, s.Confidential = "agent:billing", false, policy.Confidential
		}, nil},
		"kept by the boundary": {func(s *policy.ElementSource) { s.ID = "kept" }, []string{"private_to_other_agent"}},
		"through too many hands": {func(s *policy.ElementSource) {
			s.InheritedVia = []string{"agent:intake", "agent:legal", "agent:intake", "agent:legal"}
		}, []string{"chain_too_long"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := elementFrom("s1", "agent:records")
			c.change(&s)
			// records said it, legal summarised it, intake summarised that, and billing is to inherit.
			h := inherit(func(h *policy.Handoff) {
				h.Elements = []policy.Element{summary("e1", "agent:intake", summarised("s0", "agent:legal", s)), own("e2")}
				h.Inheritance.AuthorizedAgents = []string{"agent:intake", "agent:legal", "agent:records"}
				h.Boundary.PrivateTo = map[string][]string{"agent:records": {"kept"}}
			})
			d, err := point.HandOff(t.Context(), h)
			if err != nil {
				t.Fatal(err)
			}
			want := []policy.Result{admitted("e1", "authorized_sharing", "label_source"), admitted("e2", "own_element")}
			if c.want != nil {
				want = []policy.Result{denied("e1", c.want...), denied("e2", policy.CodeHandoffHalted)}
			}
			if diff := cmp.Diff(want, d.Results); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if halted := strings.HasPrefix(d.Directive, "HALT: "); halted != (c.want != nil) {
				t.Errorf("%s", d.Directive)
			}
		})
	}
}

func TestChains(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	hands := func(n int) []string { return slices.Repeat([]string{"agent:intake"}, n) }
	digest := "sha256:" + strings.Repeat("0", 64)
	shared := []policy.Result{admitted("e1", "authorized_sharing", "label_source")}
	itsOwn := []policy.Result{admitted("e1", "own_element")}
	for name, c := range map[string]struct {
		change func(el *policy.Element)
		want   []policy.Result
	}{
		"an authorised hand": {func(el *policy.Element) { el.InheritedVia = hands(1) }, shared},
		"a stranger's hand": {
			func(el *policy.Element) { el.InheritedVia = []string{"agent:intake", "agent:legal"} },
			[]policy.Result{denied("e1", "agent_not_authorized")},
		},
		"the heir's hand":       {func(el *policy.Element) { el.InheritedVia = []string{"agent:billing"} }, shared},
		"as long as it may be":  {func(el *policy.Element) { el.InheritedVia = hands(5) }, shared},
		"longer than it may be": {func(el *policy.Element) { el.InheritedVia = hands(6) }, []policy.Result{denied("e1", "chain_too_long")}},
		"back at its origin": {func(el *policy.Element) {
			*el = own("e1")
			el.InheritedVia = append(hands(6), "agent:legal")
		}, itsOwn},
		"an own directive that came back": {func(el *policy.Element) {
			*el = own("e1")
			el.Kind, el.InheritedVia = "directive", hands(1)
		}, []policy.Result{denied("e1", "foreign_directive")}},
		"an own directive that came back with its digest": {func(el *policy.Element) {
			*el = own("e1")
			el.Kind, el.InheritedVia, el.Digest = "directive", hands(1), digest
		}, itsOwn},
		"a summary of nothing": {func(el *policy.Element) { el.Kind = "summary" }, []policy.Result{denied("e1", "derived_without_sources")}},
		"an own summary of a secret": {func(el *policy.Element) {
			s := elementFrom("s1", "agent:intake")
			s.Confidential = policy.Confidential
			*el = summary("e1", "agent:billing", s)
		}, []policy.Result{denied("e1", "confidential_from_other_agent")}},
		"an own summary of a prior": {func(el *policy.Element) {
			s := elementFrom("s1", "agent:billing")
			s.Kind = "prior"
			*el = summary("e1", "agent:billing", s)
		}, []policy.Result{admitted("e1", "own_element", "label_source")}},
		"a fact with a source that is not shared": {func(el *policy.Element) {
			el.Sources = []policy.ElementSource{{ID: "s1", Source: "agent:intake", Confidential: policy.NotConfidential}}
		}, []policy.Result{denied("e1", "unshared_from_other_agent")}},
		"a summary does not begin the count anew": {func(el *policy.Element) {
			*el = summary("e1", "agent:intake", summarised("s1", "agent:intake", elementFrom("s2", "agent:intake", hands(3)...)))
			el.InheritedVia = hands(3)
		}, []policy.Result{denied("e1", "chain_too_long")}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) { c.change(&h.Elements[0]) }))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, d.Results); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Sources come out flat, each with all the hands up to whoever derived the element, and stay as they are
// when they are decided again. What was handed in stays as it was.
func TestSourcesAreFlattened(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	ask := func() policy.Handoff {
		outer := summarised("s1", "agent:b", elementFrom("s2", "agent:a", "agent:c"), elementFrom("s3", "agent:b"))
		outer.InheritedVia = []string{"agent:d"}
		return inherit(func(h *policy.Handoff) {
			h.Elements = []policy.Element{summary("e1", "agent:intake", outer, elementFrom("s4", "agent:a"))}
		})
	}
	outer := summarised("s1", "agent:b")
	outer.InheritedVia = []string{"agent:d"}
	want := []policy.ElementSource{
		outer, elementFrom("s2", "agent:a", "agent:c", "agent:b", "agent:d"), elementFrom("s3", "agent:b", "agent:d"), elementFrom("s4", "agent:a"),
	}
	h := ask()
	for range 2 {
		d, err := point.HandOff(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, d.Request.Elements[0].Sources); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if again := ask(); h.Elements[0].Sources[0].Sources != nil && !cmp.Equal(h, again) {
			t.Errorf("the caller's hand-off was changed: %s", cmp.Diff(again, h))
		}
		h = d.Request
	}
}

func TestChainsAreBounded(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	nested := func(depth int) []policy.ElementSource {
		s := elementFrom("s", "agent:intake")
		for range depth - 1 {
			s = summarised("s", "agent:intake", s)
		}
		return []policy.ElementSource{s}
	}
	many := func(n int) []policy.ElementSource {
		return slices.Repeat([]policy.ElementSource{elementFrom("s", "agent:intake")}, n)
	}
	hands := func(n int) []string { return slices.Repeat([]string{"agent:intake"}, n) }
	for name, c := range map[string]struct {
		change  func(el *policy.Element)
		pointer string // of what is refused; empty where nothing is
	}{
		"as deep as may be": {func(el *policy.Element) { el.Sources = nested(policy.MaxSourceDepth) }, ""},
		"deeper": {
			func(el *policy.Element) { el.Sources = nested(policy.MaxSourceDepth + 1) },
			"/elements/0" + strings.Repeat("/sources/0", policy.MaxSourceDepth) + "/sources",
		},
		"as many as may be":     {func(el *policy.Element) { el.Sources = many(policy.MaxSources) }, ""},
		"more":                  {func(el *policy.Element) { el.Sources = many(policy.MaxSources + 1) }, "/elements/0/sources"},
		"as many hands":         {func(el *policy.Element) { el.InheritedVia = hands(policy.MaxHands) }, ""},
		"more hands":            {func(el *policy.Element) { el.InheritedVia = hands(policy.MaxHands + 1) }, "/elements/0/inherited_via"},
		"a hand without a name": {func(el *policy.Element) { el.InheritedVia = []string{"agent:intake", ""} }, "/elements/0/inherited_via/1"},
		"a source: no id":       {func(el *policy.Element) { el.Sources = []policy.ElementSource{elementFrom("", "agent:intake")} }, "/elements/0/sources/0/element_id"},
		"a source: its agent":   {func(el *policy.Element) { el.Sources = []policy.ElementSource{elementFrom("s", "a b")} }, "/elements/0/sources/0/source_agent_id"},
		"a source: its kind": {func(el *policy.Element) {
			el.Sources = many(1)
			el.Sources[0].Kind = "rumour"
		}, "/elements/0/sources/0/kind"},
		"a source: its digest": {func(el *policy.Element) {
			el.Sources = many(1)
			el.Sources[0].Digest = "sha256:0"
		}, "/elements/0/sources/0/digest"},
		"a source: a hand": {
			func(el *policy.Element) { el.Sources = []policy.ElementSource{elementFrom("s", "agent:intake", "a b")} },
			"/elements/0/sources/0/inherited_via/0",
		},
	} {
		for _, profile := range []policy.Profile{policy.ProfileStrict, policy.ProfileReference} {
			t.Run(name+"/"+string(profile), func(t *testing.T) {
				_, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
					h.Profile = profile
					c.change(&h.Elements[0])
				}))
				if c.pointer == "" && err != nil || c.pointer != "" && !refusedAt(err, c.pointer) {
					t.Errorf("%v, want it refused at %q", err, c.pointer)
				}
			})
		}
	}
}

// The published guard knows neither hands nor sources nor seals.
func TestReferenceIgnoresChains(t *testing.T) {
	point := handoffPoint(t, embeddedEngine(t), &handoffs{})
	plain := inherit(func(h *policy.Handoff) { h.Profile = policy.ProfileReference })
	want, err := point.HandOff(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	got, err := point.HandOff(t.Context(), inherit(func(h *policy.Handoff) {
		h.Profile = policy.ProfileReference
		derive(h, func(s *policy.ElementSource) { s.Confidential = policy.Confidential })
		h.Elements[0].InheritedVia = []string{"agent:legal"}
		h.Elements[0].Seal = "a.b.c"
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got.Directive != want.Directive || got.ManifestDigest != want.ManifestDigest || !cmp.Equal(got.Results, want.Results) {
		t.Errorf("%s %s %+v, want %s %s %+v", got.Directive, got.ManifestDigest, got.Results, want.Directive, want.ManifestDigest, want.Results)
	}
}

func refusedAt(err error, pointer string) bool {
	invalid, ok := errors.AsType[*policy.InvalidError](err)
	return ok && invalid.Pointer == pointer && errors.Is(err, policy.ErrInvalidRequest)
}
