package world_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest/world"
)

// TestTellAllowsWhatWasHeard is the other side: those who were there, and the agent, do the same things.
func TestTellAllowsWhatWasHeard(t *testing.T) {
	for name, events := range map[string][]world.Event{
		"an erasure by a hearer":                 {{Who: "user:ben", Erases: "plan"}},
		"an erasure by the agent":                {{Who: "agent:scribe", Erases: "row"}},
		"a note on what was heard":               {{Who: "user:ann", Derives: "x", From: []string{"digest", "post"}}},
		"an edit by a hearer":                    {{Who: "user:ann", Edits: "plan", Into: "x"}},
		"an import by the agent":                 {{Who: "agent:scribe", Imports: "x"}},
		"a note on the public after withdrawal":  {{Who: "user:ben", LosesAccess: "pair"}, {Who: "user:ben", Derives: "x", From: []string{"post"}}},
		"a note on the tenant's own by a member": {{Who: "user:ben", Derives: "x", From: []string{"canteen"}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story()
			s.Happened = append(s.Happened, events...)
			if _, err := world.Tell(s, now); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTellRefusesWhatCannotHappen adds one event or changes one part of the world each time.
func TestTellRefusesWhatCannotHappen(t *testing.T) {
	happens := func(e world.Event) func(*world.Story) {
		return func(s *world.Story) { s.Happened = append(s.Happened, e) }
	}
	here := func(h world.Here) func(*world.Story) { return func(s *world.Story) { s.HereNow = h } }
	tests := []struct {
		name  string
		spoil func(*world.Story)
		place string
		want  string
	}{
		{"a leave without a join", happens(world.Event{Who: "user:cat", Leaves: "pair"}), "happened/10/leaves", "user:cat leaves pair without being in it"},
		{"a withdrawal without a join", happens(world.Event{Who: "user:cat", LosesAccess: "pair"}), "happened/10/loses_access_to", "user:cat leaves pair without being in it"},
		{"a join of a member", happens(world.Event{Who: "user:ann", Joins: "board"}), "happened/10/joins", "user:ann is in board already"},
		{"a join of no channel", happens(world.Event{Who: "user:ann", Joins: "bored"}), "happened/10/joins", "there is no channel bored"},
		{"a leave of no channel", happens(world.Event{Who: "user:ann", Leaves: "bored"}), "happened/10/leaves", "there is no channel bored"},
		{"an agent that joins", happens(world.Event{Who: "agent:scribe", Joins: "board"}), "happened/10/joins", "agent:scribe is not one of the people"},
		{"an agent that leaves", happens(world.Event{Who: "agent:scribe", Leaves: "board"}), "happened/10/leaves", "agent:scribe is not one of the people"},
		{"a third in a direct channel", happens(world.Event{Who: "user:cat", Joins: "pair"}), "happened/10/joins", "pair is a direct channel and has two people already"},
		{"a guest of the whole tenant", happens(world.Event{Who: "guest:dan", Joins: "all"}), "happened/10/joins", "all is a channel of the whole tenant, and guest:dan is not at home there"},
		{"a return after a withdrawal", func(s *world.Story) {
			s.Happened = append(s.Happened, world.Event{Who: "user:ben", LosesAccess: "board"}, world.Event{Who: "user:ben", Joins: "board"})
		}, "happened/11/joins", "the access of user:ben was withdrawn, so nobody lets them into board"},
		{"somebody speaks who is not there", happens(world.Event{Who: "user:cat", Says: "x", In: "pair"}), "happened/10/in", "user:cat speaks in pair without being in it"},
		{"a guest speaks to the tenant", happens(world.Event{Who: "guest:dan", Says: "x", In: "all"}), "happened/10/in", "guest:dan speaks in all without being in it"},
		{"somebody speaks nowhere", happens(world.Event{Who: "user:cat", Says: "x"}), "happened/10/in", `there is no channel ""`},
		{"nobody hears it", happens(world.Event{Who: "agent:scribe", Says: "x", In: "empty"}), "happened/10/says", "nobody is in empty, so nobody hears it"},
		{"the same item twice", happens(world.Event{Who: "user:ann", Says: "plan", In: "board"}), "happened/10/says", "there is an item plan already"},
		{"a source that is not there", happens(world.Event{Who: "agent:scribe", Derives: "x", From: []string{"plan", "plam"}}), "happened/10/from/1", `there is no item "plam" yet`},
		{"no sources", happens(world.Event{Who: "agent:scribe", Derives: "x"}), "happened/10/derives", "x is derived from nothing; name its sources with from"},
		{"an erased source", func(s *world.Story) {
			s.Happened = append(s.Happened, world.Event{Who: "user:ann", Erases: "plan"}, world.Event{Who: "agent:scribe", Derives: "x", From: []string{"plan"}})
		}, "happened/11/from/0", "plan is erased already"},
		{"an edited source", func(s *world.Story) {
			s.Happened = append(s.Happened, world.Event{Who: "user:ann", Edits: "plan", Into: "plan2"}, world.Event{Who: "user:ann", Erases: "plan"})
		}, "happened/11/erases", "plan was edited already; name the new text"},
		{"an edit of what was derived", happens(world.Event{Who: "agent:scribe", Edits: "digest", Into: "x"}), "happened/10/edits", "digest was not said, so nobody edits it"},
		{"an edit into nothing", happens(world.Event{Who: "user:ann", Edits: "plan"}), "happened/10/edits", "name the new text with into"},
		{"an edit from outside", func(s *world.Story) {
			s.Happened = append(s.Happened, world.Event{Who: "user:ben", Leaves: "board"}, world.Event{Who: "user:ben", Edits: "plan", Into: "x"})
		}, "happened/11/who", "user:ben edits in board without being in it"},
		{"an edit of what was said before the join", happens(world.Event{Who: "user:cat", Edits: "plan", Into: "x"}), "happened/10/edits", "user:cat did not hear plan; let an agent do this, or somebody who was there"},
		{"an erasure by somebody who was not there", happens(world.Event{Who: "user:cat", Erases: "plan"}), "happened/10/erases", "user:cat did not hear plan; let an agent do this, or somebody who was there"},
		{"an erasure by a guest of the tenant's own", happens(world.Event{Who: "guest:dan", Erases: "canteen"}), "happened/10/erases", "guest:dan did not hear canteen; let an agent do this, or somebody who was there"},
		{"an erasure of what nobody is known to have heard", happens(world.Event{Who: "user:ann", Erases: "row"}), "happened/10/erases", "user:ann did not hear row; let an agent do this, or somebody who was there"},
		{"a source that was not heard", happens(world.Event{Who: "user:ben", Derives: "x", From: []string{"plan", "date"}}), "happened/10/from/1", "user:ben did not hear date; let an agent do this, or somebody who was there"},
		{"a source of a source that was not heard", happens(world.Event{Who: "user:ben", Derives: "x", From: []string{"digest"}}), "happened/10/from/0", "user:ben did not hear digest; let an agent do this, or somebody who was there"},
		{"an erasure after a withdrawal", func(s *world.Story) {
			s.Happened = append(s.Happened, world.Event{Who: "user:ben", LosesAccess: "pair"}, world.Event{Who: "user:ben", Erases: "plan"})
		}, "happened/11/erases", "the access of user:ben was withdrawn, and with it plan; let an agent do this, or somebody who was there"},
		{"an import by a person", happens(world.Event{Who: "user:ann", Imports: "x"}), "happened/10/who", "user:ann cannot have heard x, since nobody knows any more who did; let an agent import it"},
		{"time runs backwards", happens(world.Event{At: now.Add(-2 * time.Hour), Who: "user:ann", Erases: "plan"}), "happened/10/at", "time runs backwards: the event before is at 2026-11-30T19:00:01Z"},
		{"after the turn", happens(world.Event{At: now.Add(1), Who: "user:ann", Erases: "plan"}), "happened/10/at", "this happens after the turn, which is at 2026-11-30T20:00:01Z"},
		{"expired at birth", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Until: now.Add(-time.Hour)}}), "happened/10/until", "x expires before it is there"},
		{"nothing", happens(world.Event{Who: "user:ann"}), "happened/10", "nothing happens: say who joins, leaves, loses_access_to, says, derives, edits, erases or imports what"},
		{"two things", happens(world.Event{Who: "user:ann", Joins: "all", Leaves: "board"}), "happened/10/leaves", "one event is one thing, and this one joins and leaves"},
		{"a stranger", happens(world.Event{Who: "user:eve", Joins: "board"}), "happened/10/who", `"user:eve" is neither a person nor an agent of this world`},
		{"a key too many", happens(world.Event{Who: "user:ann", Leaves: "board", In: "board"}), "happened/10/in", "in says nothing about somebody who leaves"},
		{"a label without an item", happens(world.Event{Who: "user:ann", Leaves: "board", Labels: world.Labels{Shared: true}}), "happened/10/shared", "shared says nothing about somebody who leaves"},
		{"no kind of item", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Kind: "song"}}), "happened/10/kind", `"song" is not a kind of item`},
		{"a summary that was said", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Kind: "summary"}}), "happened/10/kind", "a summary is derived, and x was not"},
		{"a person as an agent", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Agent: "user:ann"}}), "happened/10/agent", "user:ann is not one of the agents"},
		{"no lie", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Lie: "fib"}}), "happened/10/lie", "fib: is not a lie that this world knows"},
		{"a lie that nothing gives away", happens(world.Event{Who: "user:ann", Says: "x", In: "board", Labels: world.Labels{Lie: world.ClaimsPublic}}), "happened/10/lie", "claims_public: only what was derived can be told this way: the labels of anything else would not give the lie away"},
		{"a lie about a summary", happens(world.Event{Who: "agent:scribe", Derives: "x", From: []string{"plan"}, Labels: world.Labels{Lie: world.JoinsNames}}), "happened/10/lie", "joins_names: only what was said can be told this way"},
		{"no kind of channel", func(s *world.Story) { s.Channels["den"] = world.Channel{Kind: "cave"} }, "channels/den/kind", `a channel is direct, group, tenant or public, and this one is "cave"`},
		{"a stranger as a member", func(s *world.Story) {
			s.Channels["den"] = world.Channel{Kind: world.Group, Members: []string{"user:ann", "user:eve"}}
		}, "channels/den/members/1", "user:eve is not one of the people"},
		{"the same person twice", func(s *world.Story) { s.Guests = []string{"user:ann"} }, "guests/0", "user:ann is there already"},
		{"a person without a name", func(s *world.Story) { s.People = []string{""} }, "people/0", "this one has no name"},
		{"no agent", func(s *world.Story) { s.Agents = nil }, "agents", "there is no agent, so nothing is remembered"},
		{"a turn nowhere", here(world.Here{Channel: "bored"}), "here_now/channel", "there is no channel bored"},
		{"a turn of nobody", here(world.Here{}), "here_now", "nobody is here: name the channel, or the viewers, or say viewers_unknown"},
		{"unknown and known viewers", here(world.Here{ViewersUnknown: true, Viewers: []string{"user:ann"}}), "here_now/viewers", "the viewers are either unknown or these"},
		{"no agent of the turn", here(world.Here{Channel: "board", Agent: "user:ann"}), "here_now/agent", "user:ann is not one of the agents"},
		{"a stranger as a viewer", here(world.Here{Viewers: []string{"user:unknown", "user:eve"}}), "here_now/viewers/1", "user:eve is not one of the people"},
		{"a stranger as an outsider", here(world.Here{Channel: "board", Outsiders: []string{"user:eve"}}), "here_now/outsiders/0", "user:eve is not one of the people"},
		{"a guest who is hidden", here(world.Here{Viewers: []string{"user:ann", "guest:dan"}, Outsiders: []string{}}), "here_now/viewers/1", "guest:dan is a guest, and outsiders leaves them out: nothing would tell"},
		{"a person who is authorised", here(world.Here{Channel: "board", Authorizes: []string{"user:ann"}}), "here_now/authorizes/0", "user:ann is not one of the agents"},
		{"a recall of nothing", here(world.Here{Channel: "board", Recalls: []string{"plam"}}), "here_now/recalls/0", "plam is not an item of this world"},
		{"a reading of a stranger", here(world.Here{Channel: "board", Readings: []world.Reading{{Sees: []string{"user:eve"}}}}), "here_now/readings/0/sees/0", "user:eve is not one of the people"},
		{"a reading of no channel", here(world.Here{ViewersUnknown: true, Readings: []world.Reading{{}}}), "here_now/readings/0", "a reading of no channel must say whom it sees"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := story()
			test.spoil(&s)
			_, err := world.Tell(s, now)
			impossible, ok := errors.AsType[*world.ImpossibleError](err)
			if !ok || !errors.Is(err, world.ErrImpossible) {
				t.Fatalf("the error is %v, want one that matches world.ErrImpossible", err)
			}
			if diff := cmp.Diff(test.place+": "+test.want, strings.Join(impossible.Place, "/")+": "+err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}
