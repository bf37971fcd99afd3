package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// unsorted returns a request in which nothing is in normal form.
func unsorted() policy.Request {
	berlin := time.FixedZone("", 3600)
	asked := turn("user:cat", "user:ann", "user:cat")
	asked.ExternalViewers = []string{"user:cat", "user:ann", "user:cat"}
	asked.RevokedViewers = []string{"user:eve", "user:dan", "user:eve"}
	asked.Evidence = []policy.Evidence{
		{Source: "b", Viewers: []string{"user:cat", "user:ann", "user:ann"}, Complete: true, ObservedAt: noon.In(berlin)},
		{Source: "a"},
	}
	asked.Attributes = []byte(" {\n} ")

	c := item("m1", policy.Audience{Kind: policy.AudienceList, Members: []string{"user:cat", "user:ann", "user:cat"}})
	c.RecordedAt, c.ExpiresAt = noon.In(berlin), noon.Add(time.Hour).In(berlin)
	c.Attributes = []byte(`{ "a" : [ 1, 2 ] }`)
	c.Faults = append(make([]policy.Fault, 0, 8), policy.Fault{Code: policy.CodeUnknownField, Field: "x"})
	c.Kind = "rumour"
	c.Sources = []policy.Source{
		{ID: "s1", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: "live", Sources: []policy.Source{
			{ID: "s2", Audience: policy.Audience{Kind: policy.AudienceList, Members: []string{"user:cat", "user:ann"}}, ExpiresAt: noon.In(berlin)},
			{ID: "s3", Audience: policy.Audience{Kind: policy.AudienceInherited}},
		}},
		{ID: "s4", Audience: policy.Audience{Kind: policy.AudienceTenant, Members: []string{"user:ann"}}},
	}
	alone := item("m2", policy.Audience{Kind: policy.AudienceInherited})
	alone.Sources = []policy.Source{}
	return policy.Request{
		Turn:        asked,
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:y", "agent:x", "agent:y"}},
		Candidates:  []policy.Candidate{c, alone},
	}
}

// TestDecideRecordsTheNormalForm compares all that is decided and recorded with what it must be.
func TestDecideRecordsTheNormalForm(t *testing.T) {
	asked := turn("user:ann", "user:cat")
	asked.ExternalViewers = []string{"user:ann", "user:cat"}
	asked.RevokedViewers = []string{"user:dan", "user:eve"}
	asked.Evidence = []policy.Evidence{
		{Source: "b", Viewers: []string{"user:ann", "user:cat"}, Complete: true, ObservedAt: noon},
		{Source: "a"},
	}
	c := item("m1", policy.Principals("user:ann", "user:cat"))
	c.RecordedAt, c.ExpiresAt = noon, noon.Add(time.Hour)
	c.Attributes = []byte(`{"a":[1,2]}`)
	c.Kind = "rumour"
	c.Faults = []policy.Fault{
		{Code: policy.CodeUnknownField, Field: "x"},
		{Code: policy.CodeMalformed, Field: "kind", Problem: "must be one of " + strings.Join(policy.Kinds(), ", ")},
	}
	c.Sources = []policy.Source{
		{ID: "s1", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: "live"},
		{ID: "s2", Audience: policy.Principals("user:ann", "user:cat"), ExpiresAt: noon},
		{ID: "s3"},
		{ID: "s4", Audience: policy.WholeTenant()},
	}
	want := policy.Request{
		Turn:        asked,
		Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:x", "agent:y"}},
		Candidates:  []policy.Candidate{c, item("m2", policy.Audience{})},
	}

	log := &memory{}
	if _, err := newPoint(t, embedded(t), log).Decide(t.Context(), unsorted()); err != nil {
		t.Fatal(err)
	}
	got := log.entries[0].Request
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +recorded):\n%s", diff)
	}
	for _, at := range []time.Time{got.Turn.Evidence[0].ObservedAt, got.Candidates[0].RecordedAt, got.Candidates[0].ExpiresAt, got.Candidates[0].Sources[1].ExpiresAt} {
		if at.Location() != time.UTC {
			t.Errorf("%v is not in UTC", at)
		}
	}
}

func TestDecideLeavesTheRequestAlone(t *testing.T) {
	req := unsorted()
	if _, err := newPoint(t, embedded(t), &memory{}).Decide(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(unsorted(), req); diff != "" {
		t.Errorf("(-as it was +changed):\n%s", diff)
	}
	// Nor what stands behind the end of a list.
	if behind := req.Candidates[0].Faults[:2][1]; behind != (policy.Fault{}) {
		t.Errorf("written behind the faults: %+v", behind)
	}
}

// No reading and an empty list of readings say the same.
func TestDecideRecordsNoReadingsInOneForm(t *testing.T) {
	none := turn("user:ann")
	none.Evidence = []policy.Evidence{}
	if d := decide(t, newPoint(t, embedded(t), &memory{}), none); d.Request.Turn.Evidence != nil {
		t.Errorf("recorded as %#v", d.Request.Turn.Evidence)
	}
}
