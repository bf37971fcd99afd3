package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// faultsOf decides one candidate and returns the code and the field of each of its faults.
func faultsOf(t *testing.T, p *policy.Point, c policy.Candidate) []string {
	t.Helper()
	d := decide(t, p, turn("user:ann"), c)
	var found []string
	for _, fault := range p.Explain(d, 0).Faults {
		found = append(found, fault.Code+" "+fault.Field)
	}
	if d.Results[0].Admit == (len(found) > 0) {
		t.Errorf("faults %v, result %+v", found, d.Results[0])
	}
	return found
}

func TestFaultsOfACandidate(t *testing.T) {
	long := strings.Repeat("a", policy.MaxLabel+1)
	hex := strings.Repeat("0123456789abcdef", 4)
	source := func(change func(*policy.Source)) func(*policy.Candidate) {
		return func(c *policy.Candidate) {
			inner := policy.Source{Audience: policy.Everybody(), State: policy.StateLive}
			change(&inner)
			outer := policy.Source{Audience: policy.Everybody(), State: policy.StateLive, Sources: []policy.Source{inner}}
			c.Sources = []policy.Source{{Audience: policy.Everybody(), State: policy.StateLive}, outer}
		}
	}
	p := newPoint(t, embedded(t), &memory{})
	for name, test := range map[string]struct {
		mutate func(*policy.Candidate)
		field  string // empty where there is no fault
	}{
		"as it is":                  {func(*policy.Candidate) {}, ""},
		"an id that is a word":      {func(c *policy.Candidate) { c.ID = "public" }, ""},
		"the longest id":            {func(c *policy.Candidate) { c.ID = strings.Repeat("a", policy.MaxName) }, ""},
		"an id too long":            {func(c *policy.Candidate) { c.ID = strings.Repeat("a", policy.MaxName+1) }, "id"},
		"an id with a space":        {func(c *policy.Candidate) { c.ID = "m 1" }, "id"},
		"no kind":                   {func(c *policy.Candidate) { c.Kind = "" }, "kind"},
		"an agent that is a word":   {func(c *policy.Candidate) { c.Agent = "tenant" }, "agent"},
		"a basis too long":          {func(c *policy.Candidate) { c.AudienceBasis = long }, "audience_basis"},
		"a tenant too long":         {func(c *policy.Candidate) { c.Tenant = long }, "tenant"},
		"a channel too long":        {func(c *policy.Candidate) { c.Channel = long }, "channel"},
		"a channel with a space":    {func(c *policy.Candidate) { c.Channel = "the room" }, ""},
		"a state too long":          {func(c *policy.Candidate) { c.State = long }, "state"},
		"a store too long":          {func(c *policy.Candidate) { c.Store = long }, "store"},
		"a digest":                  {func(c *policy.Candidate) { c.Digest = "sha256:" + hex }, ""},
		"a digest without its name": {func(c *policy.Candidate) { c.Digest = hex }, "digest"},
		"a digit too few":           {func(c *policy.Candidate) { c.Digest = "sha256:" + hex[1:] }, "digest"},
		"a digit too many":          {func(c *policy.Candidate) { c.Digest = "sha256:" + hex + "0" }, "digest"},
		"digits in upper case":      {func(c *policy.Candidate) { c.Digest = "sha256:" + strings.ToUpper(hex) }, "digest"},
		"attributes that are a list": {
			func(c *policy.Candidate) { c.Attributes = []byte(`[]`) }, "attributes",
		},
		"a source in order":             {source(func(*policy.Source) {}), ""},
		"a source's id with a space":    {source(func(s *policy.Source) { s.ID = "s 1" }), "sources/1/sources/0/id"},
		"a source's audience":           {source(func(s *policy.Source) { s.Audience = policy.Principals("*") }), "sources/1/sources/0/audience"},
		"a source's agent":              {source(func(s *policy.Source) { s.Agent = "public" }), "sources/1/sources/0/agent"},
		"a source's tenant is too long": {source(func(s *policy.Source) { s.Tenant = long }), "sources/1/sources/0/tenant"},
		"a source's state is too long":  {source(func(s *policy.Source) { s.State = long }), "sources/1/sources/0/state"},
	} {
		t.Run(name, func(t *testing.T) {
			c := item("m1", policy.Everybody())
			test.mutate(&c)
			var want []string
			if test.field != "" {
				want = []string{policy.CodeMalformed + " " + test.field}
			}
			if diff := cmp.Diff(want, faultsOf(t, p, c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An id that is too long to be kept is left out of the record, and no other is.
func TestFaultOfAnIDThatIsTooLong(t *testing.T) {
	p := newPoint(t, embedded(t), &memory{})
	for n, want := range map[int]int{policy.MaxName: policy.MaxName, policy.MaxName + 1: 0} {
		d := decide(t, p, turn("user:ann"), item(strings.Repeat("a", n), policy.Everybody()))
		if got := d.Request.Candidates[0].ID; len(got) != want || d.Results[0].ID != got {
			t.Errorf("an id of %d bytes is recorded with %d, answered with %d, want %d", n, len(got), len(d.Results[0].ID), want)
		}
	}
}

// A list with one member who is nobody is for nobody: the others do not make an audience.
func TestFaultyAudienceIsNobody(t *testing.T) {
	d := decide(t, newPoint(t, embedded(t), &memory{}), turn("user:ann"), item("m1", policy.Principals("user:ann", "*")))
	if diff := cmp.Diff(policy.Audience{}, d.Request.Candidates[0].Audience); diff != "" {
		t.Errorf("(-want +recorded):\n%s", diff)
	}
}

func TestFaultsAreNotedOnceAField(t *testing.T) {
	p := newPoint(t, embedded(t), &memory{})
	c := item("", policy.Everybody())
	c.Agent = "public"
	c.Faults = []policy.Fault{
		{Code: policy.CodeUnknownField, Field: "agent"},
		{Code: policy.CodeMalformed, Field: "id"},
	}
	want := []string{
		policy.CodeUnknownField + " agent", policy.CodeMalformed + " id", policy.CodeMalformed + " agent",
	}
	if diff := cmp.Diff(want, faultsOf(t, p, c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of the malformed fields sixteen are noted, whatever else is wrong.
func TestFaultsOfOneCandidateAreBounded(t *testing.T) {
	p := newPoint(t, embedded(t), &memory{})
	c := item("m1", policy.Everybody())
	var want []string
	for i := range 20 {
		field := fmt.Sprintf("x%d", i)
		c.Faults = append(c.Faults, policy.Fault{Code: policy.CodeUnknownField, Field: field})
		want = append(want, policy.CodeUnknownField+" "+field)
	}
	for i := range 17 {
		c.Sources = append(c.Sources, policy.Source{Audience: policy.Everybody(), Agent: "*", State: policy.StateLive})
		if i < 16 {
			want = append(want, fmt.Sprintf("%s sources/%d/agent", policy.CodeMalformed, i))
		}
	}
	if diff := cmp.Diff(want, faultsOf(t, p, c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
