package world_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"earshot/policytest/world"
)

// drawWorld draws a story, event by event, and leaves out what cannot have happened.
func drawWorld(t *rapid.T) *world.World {
	story := world.Story{
		Tenant: "acme",
		People: []string{"user:ann", "user:ben", "user:cat", "bot:ci"},
		Guests: []string{"guest:dan"},
		Agents: []string{"agent:scribe", "agent:researcher"},
		Channels: map[string]world.Channel{
			"dm": {Kind: world.Direct, Members: []string{"user:ann"}}, "board": {Kind: world.Group, Members: []string{"user:ann", "user:ben"}},
			"shared": {Kind: world.Group, Members: []string{"user:ben", "guest:dan"}}, "all": {Kind: world.WholeTenant, Members: []string{"user:cat"}},
			"blog": {Kind: world.Public}, "abroad": {Kind: world.Group, Tenant: "zenith", Members: []string{"user:ann", "guest:dan"}},
		},
		HereNow: world.Here{ViewersUnknown: true},
	}
	var before *world.World
	for i := range rapid.IntRange(12, 36).Draw(t, "events") {
		event := drawEvent(t, i)
		longer := story
		longer.Happened = append(story.Happened[:len(story.Happened):len(story.Happened)], event)
		if told, err := world.Tell(longer, now); err == nil {
			story, before = longer, told
		}
	}
	story.HereNow = drawHere(t, before)
	w, err := world.Tell(story, now)
	if err != nil {
		t.Skip(err)
	}
	return w
}

var (
	anybody  = rapid.SampledFrom([]string{"user:ann", "user:ben", "user:cat", "bot:ci", "guest:dan"})
	somebody = rapid.SliceOfDistinct(anybody, rapid.ID[string])
	channels = rapid.SampledFrom([]string{"dm", "board", "board", "board", "shared", "shared", "all", "blog", "abroad"})
	doer     = rapid.SampledFrom([]string{"agent:scribe", "agent:scribe", "agent:researcher", "user:ann", "user:ben", "guest:dan"})
	agents   = rapid.SampledFrom([]string{"", "", "agent:scribe", "agent:researcher"})
	lies     = rapid.SampledFrom(append(make([]world.Lie, 8), world.Lies()...))
	marks    = rapid.SampledFrom([]*bool{nil, new(true), new(false), new(false)})
	moments  = rapid.SampledFrom([]time.Time{{}, {}, now, now.Add(time.Nanosecond), now.Add(time.Hour)})
)

func drawEvent(t *rapid.T, i int) world.Event {
	e := world.Event{Who: anybody.Draw(t, "who")}
	item := fmt.Sprintf("m%d", i)
	earlier := func() string { return fmt.Sprintf("m%d", rapid.IntRange(0, max(0, i-1)).Draw(t, "item")) }
	switch rapid.SampledFrom([]string{"move", "move", "move", "say", "say", "say", "say", "say", "say", "derive", "derive", "derive", "derive", "edit", "erase", "import", "withdraw"}).Draw(t, "verb") {
	case "move":
		if rapid.Bool().Draw(t, "joins") {
			e.Joins = channels.Draw(t, "channel")
		} else {
			e.Leaves = channels.Draw(t, "channel")
		}
		return e
	case "withdraw":
		e.LosesAccess = channels.Draw(t, "channel")
		return e
	case "erase":
		e.Who, e.Erases = doer.Draw(t, "doer"), earlier()
		return e
	case "say":
		e.Says, e.In = item, channels.Draw(t, "channel")
	case "derive":
		e.Who, e.Derives, e.From = doer.Draw(t, "doer"), item, []string{earlier(), earlier()}
	case "edit":
		e.Edits, e.Into = earlier(), item
	case "import":
		e.Who, e.Imports = "agent:scribe", item
	}
	if e.Derives != "" && rapid.IntRange(0, 3).Draw(t, "honest") == 3 {
		e.Lie = world.HidesSources
		return e
	}
	// Most of what is said is plain; otherwise nearly everything would be denied for its labels.
	if rapid.IntRange(0, 3).Draw(t, "plain") > 0 {
		e.Agent = "agent:scribe"
		return e
	}
	e.Labels = world.Labels{
		Agent: agents.Draw(t, "agent"), Shared: rapid.Bool().Draw(t, "shared"), Confidential: marks.Draw(t, "confidential"),
		Until: moments.Draw(t, "until"), Lie: lies.Draw(t, "lie"),
		Kind: rapid.SampledFrom([]string{"", "", "fact", "directive", "node"}).Draw(t, "kind"),
	}
	return e
}

// drawHere draws a turn after what happened before it; nil where nothing did.
func drawHere(t *rapid.T, before *world.World) world.Here {
	here := world.Here{
		Agent:              rapid.SampledFrom([]string{"", "", "", "", "agent:researcher"}).Draw(t, "turn's agent"),
		Channel:            rapid.SampledFrom([]string{"dm", "board", "board", "shared", "all", "blog"}).Draw(t, "turn's channel"),
		AllowsConfidential: rapid.Bool().Draw(t, "allows confidential"),
		AllowsUnattributed: rapid.Bool().Draw(t, "allows unattributed"),
	}
	if rapid.Bool().Draw(t, "authorizes") || rapid.Bool().Draw(t, "authorizes after all") {
		here.Authorizes = []string{"agent:researcher"}
	}
	switch rapid.SampledFrom([]int{5, 5, 5, 5, 5, 5, 5, 5, 6, 0, 1, 2, 3, 4}).Draw(t, "viewers") {
	case 0:
		here.ViewersUnknown = true
	case 1:
		here.Viewers = []string{"user:ann", "Anonymous"}
	case 2:
		here.Basis = "model"
	case 3:
		here.Outsiders = []string{"user:cat", "guest:dan"}
	case 4:
		here.Viewers = somebody.Draw(t, "named")
	case 5:
		here.Viewers = drawHearers(t, before)
	}
	for range rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2}).Draw(t, "readings") {
		reading := world.Reading{
			CutShort: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "cut short"),
			At: rapid.SampledFrom([]time.Time{{}, now, now.Add(-300 * time.Second), now.Add(-301 * time.Second),
				now.Add(30 * time.Second), now.Add(31 * time.Second)}).Draw(t, "at"),
		}
		if rapid.IntRange(0, 3).Draw(t, "sees") == 0 {
			reading.Sees = somebody.Draw(t, "seen")
		}
		here.Readings = append(here.Readings, reading)
	}
	return here
}

// drawHearers draws some of those who heard one of the items, so that they mostly heard more; nil, which
// is whoever is in the channel, where nothing was heard.
func drawHearers(t *rapid.T, before *world.World) []string {
	if before == nil || len(before.Items()) == 0 {
		return nil
	}
	hearers := before.Hearers(rapid.SampledFrom(before.Items()).Draw(t, "an item that they heard"))
	if len(hearers) == 0 {
		return nil
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(hearers), 1, min(2, len(hearers)), rapid.ID[string]).Draw(t, "hearers")
}
