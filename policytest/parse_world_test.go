package policytest_test

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"earshot/policy"
	"earshot/policytest"
	ledger "earshot/policytest/world"
)

// goodWorld is a case with a world that is fit to prove something. The tests below spoil it.
const goodWorld = `claim: Somebody who left is told nothing of what came after
why: Whoever left was not there.
now: 2026-11-30T20:00:01Z
world:
  people: [user:ann, user:ben, user:cat]
  agents: [agent:scribe]
  channels:
    chat:board: {kind: group, members: [user:ann, user:ben]}
    chat:pair:
      kind: direct
      members: [user:ann, user:ben]
  happened:
    - {who: user:ben, says: plan, in: chat:board}
    - {who: user:ben, leaves: chat:board}
    - {at: 2026-11-30T09:00:00+01:00, who: user:ann, says: date, in: chat:board}
  here_now: {channel: chat:pair}
want:
  viewers: {status: known}
  results:
    - {id: plan, admit: true, reasons: [audience_covers_viewers]}
    - {id: date, admit: false, reasons: [viewer_not_in_audience]}
  recorded: {viewers: [user:ann, user:ben], admitted: [plan], denied: [date], absent: [user:cat]}
`

const goodWorldName = "leaves/somebody_who_left_is_told_nothing_of_what_came_after.yaml"

func TestACaseWithAWorldHolds(t *testing.T) {
	c, err := policytest.Parse(goodWorldName, []byte(goodWorld))
	if err != nil {
		t.Fatal(err)
	}
	diff, err := policytest.NewPolicy(policy.EmbeddedFS()).Check(t.Context(), c)
	if err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestParseRefusesAWorld spoils the good world in one place each time.
func TestParseRefusesAWorld(t *testing.T) {
	tests := []struct {
		name     string
		old, new string
		want     string
	}{
		{"a leave without a join", "leaves: chat:board}", "leaves: chat:board}\n    - {who: user:ben, leaves: chat:board}",
			"15: user:ben leaves chat:board without being in it"},
		{"an unknown key", "leaves:", "exits:", "14: exits is not a key of an event; known are at, who, joins, leaves, loses_access_to, says, in, derives, from, edits, into, erases, imports, kind, agent, shared, confidential, until, lie"},
		{"an unknown label", "says: date", "says: date, secret: true", "15: secret is not a key of an event; known are at, who, joins, leaves, loses_access_to, says, in, derives, from, edits, into, erases, imports, kind, agent, shared, confidential, until, lie"},
		{"an unknown key of a channel", "      kind: direct", "      sort: direct", "10: sort is not a key of a channel; known are kind, members, tenant"},
		{"a kind that is none", "      kind: direct", "      kind: diary", `10: a channel is direct, group, tenant or public, and this one is "diary"`},
		{"time runs backwards", "{who: user:ben, leaves", "{at: 2026-11-30T12:00:00+01:00, who: user:ben, leaves",
			"15: time runs backwards: the event before is at 2026-11-30T12:00:00+01:00"},
		{"a moment that is none", "{at: 2026-11-30T09:00:00+01:00", "{at: 9:00", "15: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"an end that is none", "says: plan", "says: plan, until: tomorrow", "13: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"a reading at no time", "{channel: chat:pair}", "{channel: chat:pair, readings: [{at: 2026-11-30}]}", "16: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"nothing of the log could hold it", "absent: [user:cat]", "absent: [user:kat]", "22: user:kat is nowhere in this case, so that it is absent says nothing"},
		{"nobody is here", "{channel: chat:pair}", "{agent: agent:scribe}", "16: nobody is here: name the channel, or the viewers, or say viewers_unknown"},
		{"nothing is here", "  here_now: {channel: chat:pair}\n", "", "4: nobody is here: name the channel, or the viewers, or say viewers_unknown"},
		{"a stranger", "      members: [user:ann, user:ben]\n", "      members:\n        - user:ann\n        - user:eve\n",
			"13: user:eve is not one of the people"},
		{"a second body", "world:", "raw: x\nworld:", "1: give the body as one of world, request and raw"},
		{"nothing asserted of the log", "recorded: {viewers: [user:ann, user:ben], admitted: [plan], denied: [date], absent: [user:cat]}", "recorded: {}",
			"22: recorded asserts nothing: give agent, channel, tenant, viewers, admitted, denied or absent"},
		{"no assertion", goodWorld[strings.Index(goodWorld, "want:"):], "", "1: want asserts nothing: give refused, or viewers and results"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(goodWorld, test.old) {
				t.Fatalf("the good world has no %q", test.old)
			}
			_, err := policytest.Parse(goodWorldName, []byte(strings.Replace(goodWorld, test.old, test.new, 1)))
			if !errors.Is(err, policytest.ErrCase) {
				t.Fatalf("the error is %v, want one that matches policytest.ErrCase", err)
			}
			if diff := cmp.Diff("case refused: "+goodWorldName+":"+test.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckReadsTheLog wants something else of the recorded entry each time.
func TestCheckReadsTheLog(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	for _, test := range []struct {
		name     string
		recorded policytest.Recorded
		want     string // after the heading
	}{
		{"another agent", policytest.Recorded{Agent: "agent:other"}, "- agent: agent:other\n+ agent: agent:scribe"},
		{"another channel", policytest.Recorded{Channel: "chat:board", Agent: "agent:scribe"}, "  agent: agent:scribe\n- channel: chat:board\n+ channel: chat:pair"},
		{"another tenant", policytest.Recorded{Tenant: "acme"}, "- tenant: acme\n+ tenant: "},
		{"other viewers", policytest.Recorded{Viewers: []string{"user:ann"}}, "- viewers: [user:ann]\n+ viewers: [user:ann, user:ben]"},
		{"no viewers", policytest.Recorded{Viewers: []string{}}, "- viewers: []\n+ viewers: [user:ann, user:ben]"},
		{"another admission", policytest.Recorded{Admitted: []string{"plan", "date"}}, "- admitted: [plan, date]\n+ admitted: [plan]"},
		{"no denial", policytest.Recorded{Denied: []string{}}, "- denied: []\n+ denied: [date]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := policytest.Parse(goodWorldName, []byte(goodWorld))
			if err != nil {
				t.Fatal(err)
			}
			c.Want.Recorded = &test.recorded
			diff, err := shipped.Check(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("the recorded entry is not the wanted one (-want +got):\n"+test.want, diff); diff != "" {
				t.Errorf("the difference (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckSearchesTheLog wants something to be absent from the recorded entry that it has.
func TestCheckSearchesTheLog(t *testing.T) {
	c, err := policytest.Parse(goodWorldName, []byte(goodWorld))
	if err != nil {
		t.Fatal(err)
	}
	c.Want.Recorded = &policytest.Recorded{Absent: []string{"chat:board"}}
	diff, err := policytest.NewPolicy(policy.EmbeddedFS()).Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := `the recorded entry holds "chat:board", which must not appear:`; !strings.HasPrefix(diff, want) {
		t.Errorf("the difference is %q, want it to begin with %q", diff, want)
	}
}

// TestLedgerAgreesWithTheCases compares what a case wants with what the ledger of its world says. A
// case that changes the settings, or that uses a rule that authors added, has more to say.
func TestLedgerAgreesWithTheCases(t *testing.T) {
	told := 0
	for _, c := range readCases(t) {
		if c.World == nil || c.Settings != nil || c.Facts.Roster != nil || c.Facts.Grants != nil {
			continue
		}
		told++
		t.Run(c.Name, func(t *testing.T) {
			w, err := ledger.Tell(*c.World, c.Now)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]ledger.Expected, len(c.Want.Results))
			for i, r := range c.Want.Results {
				want[i] = ledger.Expected(r)
			}
			if diff := cmp.Diff(want, w.Expect(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the results (-case +ledger):\n%s", diff)
			}
			if diff := cmp.Diff(c.Want.Viewers.Reasons, w.Doubts(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the doubts (-case +ledger):\n%s", diff)
			}
		})
	}
	if told == 0 {
		t.Error("no case tells a world")
	}
}

// TestWorldsAreTold holds the topics that a policy author copies from to cases in the words of the
// domain.
func TestWorldsAreTold(t *testing.T) {
	want := []string{
		"bots", "caller_chosen_scope", "child_agents", "derived", "erasure", "expiry", "guests", "ids", "injection",
		"joins_and_leaves", "laundering", "migration", "null_and_default", "rosters", "threads", "types",
	}
	var got []string
	for _, c := range readCases(t) {
		if topic := path.Dir(c.Name); c.World != nil && !slices.Contains(got, topic) {
			got = append(got, topic)
		}
	}
	slices.Sort(got)
	for _, topic := range want {
		if !slices.Contains(got, topic) {
			t.Errorf("the topic %s tells no world", topic)
		}
	}
}
