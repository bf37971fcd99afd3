package world_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest/world"
)

// story is a world that is possible. The tests below spoil it.
func story() world.Story {
	return world.Story{
		Tenant: "acme",
		People: []string{"user:ann", "user:ben", "user:cat"},
		Guests: []string{"guest:dan"},
		Agents: []string{"agent:scribe"},
		Channels: map[string]world.Channel{
			"board":   {Kind: world.Group, Members: []string{"user:ann", "user:ben"}},
			"private": {Kind: world.Direct, Members: []string{"user:ann"}},
			"pair":    {Kind: world.Direct, Members: []string{"user:ann", "user:ben"}},
			"all":     {Kind: world.WholeTenant},
			"blog":    {Kind: world.Public},
			"empty":   {Kind: world.Group},
		},
		Happened: []world.Event{
			{At: now.Add(-time.Hour), Who: "user:ann", Says: "plan", In: "board"},
			{Who: "user:cat", Joins: "board"},
			{Who: "user:ben", Leaves: "board"},
			{Who: "user:cat", Says: "date", In: "board"},
			{Who: "agent:scribe", Derives: "digest", From: []string{"plan", "date"}},
			{Who: "user:ben", Joins: "board"},
			{Who: "user:ben", Says: "place", In: "board"},
			{Who: "user:cat", Says: "canteen", In: "all"},
			{Who: "guest:dan", Says: "post", In: "blog"},
			{Who: "agent:scribe", Imports: "row"},
		},
		HereNow: world.Here{Channel: "board"},
	}
}

// TestHearers reads the ledger: who was in the channel at that moment, re-entry included.
func TestHearers(t *testing.T) {
	w, err := world.Tell(story(), now)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, id := range w.Items() {
		got[id] = strings.Join(w.Hearers(id), " ")
	}
	want := map[string]string{
		"plan":    "user:ann user:ben",
		"date":    "user:ann user:cat",
		"digest":  "user:ann",
		"place":   "user:ann user:ben user:cat",
		"canteen": "user:ann user:ben user:cat",
		"post":    "guest:dan user:ann user:ben user:cat",
		"row":     "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the hearers (-want +got):\n%s", diff)
	}
	if w.Heard("user:ann", "never said") || w.Public("never said") || w.Public("canteen") || !w.Public("post") {
		t.Error("an item is heard or public that is not")
	}
}

// TestExpect reads the rule off the ledger.
func TestExpect(t *testing.T) {
	w, err := world.Tell(story(), now)
	if err != nil {
		t.Fatal(err)
	}
	deny := func(id string, reasons ...string) world.Expected { return world.Expected{ID: id, Reasons: reasons} }
	admit := func(id string, reasons ...string) world.Expected {
		return world.Expected{ID: id, Admit: true, Reasons: reasons}
	}
	want := []world.Expected{
		deny("plan", "viewer_not_in_audience"),
		deny("date", "viewer_not_in_audience"),
		deny("digest", "source_audience_narrower"),
		admit("place", "audience_covers_viewers"),
		admit("canteen", "tenant_wide"),
		admit("post", "public"),
		deny("row", "audience_missing", "item_not_live"),
	}
	if diff := cmp.Diff(want, w.Expect()); diff != "" {
		t.Errorf("the expectation (-want +got):\n%s", diff)
	}
}

// TestBody compares what a caller posts, byte for byte, with an honest and with a lying memory.
func TestBody(t *testing.T) {
	s := story()
	s.Happened = append(s.Happened[:2:2], world.Event{
		Who: "agent:scribe", Derives: "digest", From: []string{"plan"}, Labels: world.Labels{Lie: world.ClaimsPublic, Until: now.Add(time.Hour)},
	})
	s.HereNow = world.Here{Channel: "board", Readings: []world.Reading{{Source: "app", At: now}}}
	w, err := world.Tell(s, now)
	if err != nil {
		t.Fatal(err)
	}
	body, err := w.Body()
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal([]byte(`{
	  "turn": {"agent": "agent:scribe", "tenant": "acme", "channel": "board", "viewers": ["user:ann", "user:ben", "user:cat"],
	    "external_viewers": [], "revoked_viewers": [],
	    "evidence": [{"source": "app", "viewers": ["user:ann", "user:ben", "user:cat"], "complete": true, "observed_at": "2026-11-30T20:00:01Z"}]},
	  "inheritance": {"authorized_agents": [], "prohibit_confidential": true, "require_attribution": true},
	  "candidates": [
	    {"id": "plan", "audience": ["user:ann", "user:ben"], "tenant": "acme", "channel": "board", "agent": "agent:scribe", "shared": false,
	      "kind": "message", "state": "live", "recorded_at": "2026-11-30T19:00:01Z"},
	    {"id": "digest", "audience": "public", "tenant": "acme", "agent": "agent:scribe", "shared": false, "kind": "summary", "state": "live",
	      "recorded_at": "2026-11-30T19:00:01Z", "expires_at": "2026-11-30T21:00:01Z",
	      "sources": [{"id": "plan", "audience": ["user:ann", "user:ben"], "tenant": "acme", "agent": "agent:scribe", "state": "live"}]}
	  ]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the body (-want +got):\n%s", diff)
	}
}
