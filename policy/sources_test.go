package policy_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// nested returns sources within sources, depth levels of one each.
func nested(depth int) []policy.Source {
	var sources []policy.Source
	for range depth {
		sources = []policy.Source{{Audience: policy.Everybody(), State: policy.StateLive, Sources: sources}}
	}
	return sources
}

func TestDecideBoundsTheDepthOfSources(t *testing.T) {
	p := newPoint(t, embedded(t), &memory{})
	c := item("m1", policy.Everybody())
	c.Sources = nested(policy.MaxSourceDepth)
	if got := faultsOf(t, p, c); got != nil {
		t.Errorf("as deep as may be: %v", got)
	}
	c.Sources = nested(policy.MaxSourceDepth + 1)
	field := "sources"
	for range policy.MaxSourceDepth {
		field += "/0/sources"
	}
	if diff := cmp.Diff([]string{policy.CodeMalformed + " " + field}, faultsOf(t, p, c)); diff != "" {
		t.Errorf("a level deeper (-want +got):\n%s", diff)
	}
}

func TestDecideBoundsTheNumberOfSources(t *testing.T) {
	p := newPoint(t, embedded(t), &memory{})
	c := item("m1", policy.Everybody())
	c.Sources = slices.Repeat(nested(2), policy.MaxSources/2)
	if got := faultsOf(t, p, c); got != nil {
		t.Errorf("as many as may be: %v", got)
	}
	c.Sources = append(c.Sources, nested(1)...)
	if diff := cmp.Diff([]string{policy.CodeMalformed + " sources"}, faultsOf(t, p, c)); diff != "" {
		t.Errorf("one more (-want +got):\n%s", diff)
	}
}
