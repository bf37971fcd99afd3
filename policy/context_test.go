package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

func digestOf(c string) string { return "sha256:" + strings.Repeat(c, 64) }

// decided is a decision in which m1, m2 and one of two m3 were admitted; m2 without a digest.
func decided() *policy.Entry {
	e := &policy.Entry{Request: policy.Request{Turn: contextTurn()}}
	for _, c := range []struct {
		id, digest string
		admit      bool
	}{
		{"m1", digestOf("1"), true},
		{"m2", "", true},
		{"m3", digestOf("3"), true},
		{"m3", digestOf("4"), false},
		{"secret", digestOf("5"), false},
		{"quiet", digestOf("6"), false},
		{"", digestOf("7"), false},
		{"copy", digestOf("1"), false},
	} {
		e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{ID: c.id, Digest: c.digest})
		e.Results = append(e.Results, policy.Result{ID: c.id, Admit: c.admit})
	}
	return e
}

func contextTurn() policy.Turn {
	return policy.Turn{
		ID: "t1", Agent: "agent:scribe", Tenant: "acme", Channel: "slack:C042", Attempt: 1,
		Viewers: []string{"user:ann", "user:ben"}, ViewersBasis: policy.BasisPlatform,
		Evidence: []policy.Evidence{{Source: "slack", Viewers: []string{"bot:x", "user:ann", "user:ben"}, Complete: true}},
	}
}

func TestCheckContext(t *testing.T) {
	shares := func(id string, n int) []policy.Overlap { return []policy.Overlap{{ItemID: id, Prints: n}} }
	one := func(kind, item string) []policy.Finding { return []policy.Finding{{Kind: kind, ItemID: item}} }
	for name, c := range map[string]struct {
		segment policy.Segment
		want    []policy.Finding
	}{
		"admitted":                      {policy.Segment{ItemID: "m1", Digest: digestOf("1")}, nil},
		"admitted at one position":      {policy.Segment{ItemID: "m3", Digest: digestOf("3")}, nil},
		"admitted at another position":  {policy.Segment{ItemID: "m3", Digest: digestOf("4")}, one(policy.FindDigestMismatch, "m3")},
		"admitted with other content":   {policy.Segment{ItemID: "m1", Digest: digestOf("3")}, one(policy.FindDigestMismatch, "m1")},
		"admitted without a digest":     {policy.Segment{ItemID: "m2", Digest: digestOf("2")}, one(policy.FindDigestMismatch, "m2")},
		"no digest at all":              {policy.Segment{ItemID: "m2"}, one(policy.FindDigestMismatch, "m2")},
		"denied":                        {policy.Segment{ItemID: "secret", Digest: digestOf("5")}, one(policy.FindNotAdmitted, "secret")},
		"denied, as an admitted item":   {policy.Segment{ItemID: "m1", Digest: digestOf("5")}, one(policy.FindDigestMismatch, "m1")},
		"no candidate":                  {policy.Segment{ItemID: "m9", Digest: digestOf("1")}, one(policy.FindUnknownItem, "m9")},
		"text of an admitted item":      {policy.Segment{Digest: digestOf("1")}, nil},
		"text of a denied item":         {policy.Segment{Digest: digestOf("5")}, one(policy.FindNotAdmitted, "secret")},
		"text of a denied position":     {policy.Segment{Digest: digestOf("4")}, one(policy.FindNotAdmitted, "m3")},
		"text of an item without an id": {policy.Segment{Digest: digestOf("7")}, one(policy.FindUnattributed, "")},
		"text of nobody":                {policy.Segment{Digest: digestOf("9")}, one(policy.FindUnattributed, "")},
		"text without a digest":         {policy.Segment{}, one(policy.FindUnattributed, "")},
		"text that has a denied one in it": {
			policy.Segment{Digest: digestOf("9"), Overlaps: shares("secret", 2)}, one(policy.FindNotAdmitted, "secret"),
		},
		"less of it than counts":           {policy.Segment{Digest: digestOf("9"), Overlaps: shares("secret", 1)}, one(policy.FindUnattributed, "")},
		"text that has an admitted one":    {policy.Segment{Digest: digestOf("9"), Overlaps: shares("m1", 9)}, one(policy.FindUnattributed, "")},
		"text that has that of no item":    {policy.Segment{Digest: digestOf("9"), Overlaps: shares("m9", 9)}, one(policy.FindUnattributed, "")},
		"covered, with a denied one in it": {policy.Segment{ItemID: "m1", Digest: digestOf("1"), Overlaps: shares("secret", 9)}, nil},
		"a denied item with its own text":  {policy.Segment{ItemID: "secret", Digest: digestOf("5"), Overlaps: shares("secret", 9)}, one(policy.FindNotAdmitted, "secret")},
		"other content, of denied ones": {
			policy.Segment{ItemID: "m1", Digest: digestOf("9"), Overlaps: append(shares("secret", 9), shares("quiet", 9)...)},
			[]policy.Finding{{Kind: policy.FindDigestMismatch, ItemID: "m1"}, {Kind: policy.FindNotAdmitted, ItemID: "quiet"}, {Kind: policy.FindNotAdmitted, ItemID: "secret"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			// Behind one that is covered, so that the place is told.
			segments := []policy.Segment{{ItemID: "m1", Digest: digestOf("1")}, c.segment}
			want := []policy.Finding{}
			for _, f := range c.want {
				f.Segment = 1
				want = append(want, f)
			}
			if diff := cmp.Diff(want, policy.CheckContext(decided(), contextTurn(), segments, 2)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := policy.CheckContext(decided(), contextTurn(), []policy.Segment{{Digest: digestOf("9"), Overlaps: shares("secret", 0)}}, 0); got[0].Kind != policy.FindUnattributed {
		t.Errorf("no shared fingerprint counts as one: %v", got)
	}
}

// For another turn nothing is covered, whatever else is right.
func TestCheckContextOfAnotherTurn(t *testing.T) {
	segments := []policy.Segment{
		{ItemID: "m1", Digest: digestOf("1")}, {Digest: digestOf("1")}, {ItemID: "secret", Digest: digestOf("5")}, {Digest: digestOf("9")},
	}
	want := []policy.Finding{
		{Segment: 0, Kind: policy.FindAudienceMismatch, ItemID: "m1"}, {Segment: 1, Kind: policy.FindAudienceMismatch, ItemID: "m1"},
		{Segment: 2, Kind: policy.FindAudienceMismatch, ItemID: "secret"}, {Segment: 3, Kind: policy.FindUnattributed},
	}
	for name, change := range map[string]func(*policy.Turn){
		"agent":           func(t *policy.Turn) { t.Agent = "agent:other" },
		"tenant":          func(t *policy.Turn) { t.Tenant = "" },
		"channel":         func(t *policy.Turn) { t.Channel = "slack:C043" },
		"basis":           func(t *policy.Turn) { t.ViewersBasis = "model" },
		"one viewer more": func(t *policy.Turn) { t.Viewers = append(slices.Clone(t.Viewers), "user:cid") },
		"one viewer less": func(t *policy.Turn) { t.Viewers = t.Viewers[:1] },
		"unknown viewers": func(t *policy.Turn) { t.Viewers = nil },
		"no viewers":      func(t *policy.Turn) { t.Viewers = []string{} },
		"an external one": func(t *policy.Turn) { t.ExternalViewers = []string{"user:ben"} },
		"a revoked one":   func(t *policy.Turn) { t.RevokedViewers = []string{"user:ben"} },
		"another reading": func(t *policy.Turn) {
			t.Evidence = []policy.Evidence{{Source: "slack", Viewers: []string{"user:cid"}, Complete: true}}
		},
		"an incomplete one": func(t *policy.Turn) { t.Evidence = []policy.Evidence{{Source: "slack", Viewers: t.Viewers}} },
	} {
		now := contextTurn()
		change(&now)
		if diff := cmp.Diff(want, policy.CheckContext(decided(), now, segments, 1)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, change := range map[string]func(*policy.Turn){
		"another attempt":    func(t *policy.Turn) { t.ID, t.Attempt = "t2", 2 },
		"no reading":         func(t *policy.Turn) { t.Evidence = nil },
		"the reading, later": func(t *policy.Turn) { t.Evidence[0].ObservedAt = time.Unix(1, 0) },
		"a reading that agrees": func(t *policy.Turn) {
			t.Evidence = append(t.Evidence, policy.Evidence{Viewers: t.Viewers, Complete: true})
		},
	} {
		now := contextTurn()
		change(&now)
		if got := policy.CheckContext(decided(), now, segments[:2], 1); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUnknownViewersAreTheSameTurn(t *testing.T) {
	e, now := decided(), contextTurn()
	e.Request.Turn.Viewers, now.Viewers = nil, nil
	if got := policy.CheckContext(e, now, []policy.Segment{{ItemID: "m1", Digest: digestOf("1")}}, 1); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
