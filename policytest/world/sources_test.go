package world_test

import (
	"errors"
	"fmt"
	"testing"

	"earshot/policytest/world"
)

// TestSourcesAreBounded doubles the sources of an item with each event. Written out, sixty events
// would fill any memory.
func TestSourcesAreBounded(t *testing.T) {
	story := world.Story{
		People:   []string{"user:ann"},
		Agents:   []string{"agent:scribe"},
		Channels: map[string]world.Channel{"chat:ann": {Kind: world.Direct, Members: []string{"user:ann"}}},
		Happened: []world.Event{
			{Who: "user:ann", Says: "a0", In: "chat:ann"},
			{Who: "user:ann", Says: "b0", In: "chat:ann"},
		},
	}
	for i := range 60 {
		for _, name := range []string{"a", "b"} {
			story.Happened = append(story.Happened, world.Event{
				Who: "agent:scribe", Derives: fmt.Sprint(name, i+1), From: []string{fmt.Sprint("a", i), fmt.Sprint("b", i)},
			})
		}
	}
	_, err := world.Tell(story, now)
	if _, refused := errors.AsType[*world.ImpossibleError](err); !refused {
		t.Errorf("got %v", err)
	}

	story.Happened = append(story.Happened[:2:2], world.Event{Who: "agent:scribe", Derives: "c", From: []string{"a0", "a0"}})
	if _, err := world.Tell(story, now); err == nil {
		t.Error("a source that is named twice is taken")
	}
}
