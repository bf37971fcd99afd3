package policytest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
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

// TestACaseWithAWorldHolds holds the good world. That Cat is absent from the record would be refused there:
// she is not in the room, and was in none.
func TestACaseWithAWorldHolds(t *testing.T) {
	c, err := policytest.Parse(goodWorldName, []byte(strings.Replace(goodWorld, ", absent: [user:cat]", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	diff, err := policytest.NewPolicy(policy.EmbeddedFS()).Check(t.Context(), c)
	if err != nil || !diff.Holds() {
		t.Errorf("%v\n%s", err, diff.Text)
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
			"15: impossible world: user:ben leaves chat:board without being in it"},
		{"an unknown key", "leaves:", "exits:", "14: exits is not a key of an event; known are at, who, joins, leaves, loses_access_to, says, in, derives, from, edits, into, erases, imports, kind, agent, shared, confidential, until, lie"},
		{"an unknown label", "says: date", "says: date, secret: true", "15: secret is not a key of an event; known are at, who, joins, leaves, loses_access_to, says, in, derives, from, edits, into, erases, imports, kind, agent, shared, confidential, until, lie"},
		{"an unknown key of a channel", "      kind: direct", "      sort: direct", "10: sort is not a key of a channel; known are kind, members, tenant"},
		{"a kind that is none", "      kind: direct", "      kind: diary", `10: impossible world: a channel is direct, group, tenant or public, and this one is "diary"`},
		{"time runs backwards", "{who: user:ben, leaves", "{at: 2026-11-30T12:00:00+01:00, who: user:ben, leaves",
			"15: impossible world: time runs backwards: the event before is at 2026-11-30T12:00:00+01:00"},
		{"a moment that is none", "{at: 2026-11-30T09:00:00+01:00", "{at: 9:00", "15: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"an end that is none", "says: plan", "says: plan, until: tomorrow", "13: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"a reading at no time", "{channel: chat:pair}", "{channel: chat:pair, readings: [{at: 2026-11-30}]}", "16: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"nothing of the log could hold it", "absent: [user:cat]", "absent: [user:kat]", "22: user:kat is no name, id or text in this case, so that it is absent says nothing; name one that is"},
		{"nobody is here", "{channel: chat:pair}", "{agent: agent:scribe}", "16: impossible world: nobody is here: name the channel, or the viewers, or say viewers_unknown"},
		{"nothing is here", "  here_now: {channel: chat:pair}\n", "", "4: impossible world: nobody is here: name the channel, or the viewers, or say viewers_unknown"},
		{"a stranger", "      members: [user:ann, user:ben]\n", "      members:\n        - user:ann\n        - user:eve\n",
			"13: impossible world: user:eve is not one of the people"},
		{"an erasure by somebody who was not there", "leaves: chat:board}", "leaves: chat:board}\n    - {who: user:cat, erases: plan}",
			"15: impossible world: user:cat did not hear plan; let an agent do this, or somebody who was there"},
		{"a note on what was not heard", "leaves: chat:board}", "leaves: chat:board}\n    - who: user:cat\n      derives: note\n      from:\n        - plan",
			"18: impossible world: user:cat did not hear plan; let an agent do this, or somebody who was there"},
		{"an import by a person", "leaves: chat:board}", "leaves: chat:board}\n    - {who: user:cat, imports: row}",
			"15: impossible world: user:cat cannot have heard row, since nobody knows any more who did; let an agent import it"},
		{"a null event", "    - {who: user:ben, leaves: chat:board}\n", "    -\n", "14: place 1 of this list has no value; give one, or leave the place out"},
		{"a null person", "[user:ann, user:ben, user:cat]", "[user:ann, ~, user:cat]", "5: place 1 of this list has no value; give one, or leave the place out"},
		{"a null member", "members: [user:ann, user:ben]\n  happened", "members: [user:ann, user:ben, null]\n  happened", "11: place 2 of this list has no value; give one, or leave the place out"},
		{"a null channel", "  happened:", "    chat:none:\n  happened:", "12: chat:none has no value; give one, or leave the key out"},
		{"a null by an alias", "[user:ann, user:ben, user:cat]", "[&none null, *none]", "5: a case repeats nothing by a name, and &none is one; leave it out, and write out what is meant to repeat it"},
		{"no name", "[user:ann, user:ben, user:cat]", `["", user:ann, user:ben]`, "5: people has an empty text; give one that says something, or leave it out"},
		{"nothing is said", "says: plan", "says: \"\"", "13: says has an empty text; give one that says something, or leave it out"},
		{"an expiry in the year 1", "says: plan", "says: plan, until: 0001-01-01T00:00:00Z", "13: 0001-01-01T00:00:00Z is outside the years 1970 to 9999 in UTC"},
		{"a reading in the year 1", "{channel: chat:pair}", "{channel: chat:pair, readings: [{at: 0001-01-01T00:00:00Z}]}", "16: 0001-01-01T00:00:00Z is outside the years 1970 to 9999 in UTC"},
		{"a verb that is absent", "absent: [user:cat]", "absent: [says]", "22: says is no name, id or text in this case, so that it is absent says nothing; name one that is"},
		{"a kind that is absent", "absent: [user:cat]", "absent: [group]", "22: group is no name, id or text in this case, so that it is absent says nothing; name one that is"},
		{"a roster of strangers", "want:", "facts: {roster: {members: [user:ann, user:eve]}}\nwant:", "17: user:eve is nobody in this world, so that it stands here says nothing"},
		{"a grant to a stranger", "want:", "facts: {grants: {plan: [user:eve]}}\nwant:", "17: user:eve is nobody in this world, so that it stands here says nothing"},
		{"a stranger's access withdrawn", "want:", "settings: {revoked: [user:eve]}\nwant:", "17: user:eve is nobody in this world, so that it stands here says nothing"},
		{"a bot that is not there", "want:", "settings: {internal_bots: [bot:eve]}\nwant:", "17: bot:eve is nobody in this world, so that it stands here says nothing"},
		{"an agent that is not there", "want:", "settings: {inherit_from: {agent:scribe: [agent:eve]}}\nwant:", "17: agent:eve is nobody in this world, so that it stands here says nothing"},
		{"a second body", "world:", "raw: x\nworld:", "1: give the body as one of world, request, handoff and raw"},
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
			if diff := cmp.Diff("the recorded entry is not the wanted one (-want +got):\n"+test.want, diff.Text); diff != "" {
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
	if want := `the recorded entry holds "chat:board", which must not appear:`; !strings.HasPrefix(diff.Text, want) {
		t.Errorf("the difference is %q, want it to begin with %q", diff.Text, want)
	}
}
