package world_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest/world"
)

// TestEditKeepsLabels edits an item and reads the labels of the new text in the body. The story stays
// as it was.
func TestEditKeepsLabels(t *testing.T) {
	until := now.Add(time.Hour)
	s := story()
	s.Agents = append(s.Agents, "agent:researcher")
	s.Happened = append(s.Happened[:1:1],
		world.Event{Who: "user:ann", Says: "m", In: "board", Labels: world.Labels{
			Agent: "agent:researcher", Kind: "directive", Confidential: new(true), Until: until,
		}},
		world.Event{Who: "agent:scribe", Edits: "m", Into: "x"},
	)
	s.HereNow.Recalls = []string{"x"}
	w, err := world.Tell(s, now)
	if err != nil {
		t.Fatal(err)
	}
	body, err := w.Body()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Candidates []struct {
			ID           string    `json:"id"`
			Agent        string    `json:"agent"`
			Kind         string    `json:"kind"`
			Confidential *bool     `json:"confidential"`
			Expires      time.Time `json:"expires_at"`
		} `json:"candidates"`
	}
	want := got
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	want.Candidates = append(want.Candidates, struct {
		ID           string    `json:"id"`
		Agent        string    `json:"agent"`
		Kind         string    `json:"kind"`
		Confidential *bool     `json:"confidential"`
		Expires      time.Time `json:"expires_at"`
	}{"x", "agent:researcher", "directive", new(true), until})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the labels (-want +got):\n%s", diff)
	}
	if edit := s.Happened[2]; edit.Agent != "" || edit.Kind != "" || edit.Confidential != nil || !edit.Until.IsZero() {
		t.Errorf("the story was changed to %v", edit.Labels)
	}
}
