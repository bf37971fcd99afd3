package policytest_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"earshot/policytest"
)

// good is a case that is fit to prove something. The tests below spoil it.
const good = `claim: The word public is everybody
why: It is the top of all audiences.
now: 2026-11-30T20:00:01Z
request:
  turn: {agent: agent:scribe, viewers: [user:ann]}
  candidates:
    - {id: m1, audience: public, agent: agent:scribe, expires_at: 2026-12-24T18:00:00}
want:
  viewers: {status: known}
  results:
    - {id: m1, admit: true, reasons: [public]}
`

const goodName = "words/the_word_public_is_everybody.yaml"

func TestParse(t *testing.T) {
	c, err := policytest.Parse(goodName, []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	body, err := c.Body()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"candidates":[{"agent":"agent:scribe","audience":"public","expires_at":"2026-12-24T18:00:00","id":"m1"}],` +
		`"turn":{"agent":"agent:scribe","viewers":["user:ann"]}}`
	if diff := cmp.Diff(want, string(body)); diff != "" {
		t.Errorf("the body (-want +got):\n%s", diff)
	}
	if c.Name != "words/the_word_public_is_everybody" || !c.Now.Equal(now) {
		t.Errorf("name %q, now %v", c.Name, c.Now)
	}
}

func TestParseKeepsARawBody(t *testing.T) {
	text, body := good, "{\"turn\": {}, \"turn\": {}}\n"
	before, rest, _ := strings.Cut(text, "request:\n")
	_, want, _ := strings.Cut(rest, "want:\n")
	c, err := policytest.Parse(goodName, []byte(before+"raw: |\n  "+body+"want:\n"+want))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Body(); err != nil || string(got) != body {
		t.Errorf("the body is %q, %v, want %q", got, err, body)
	}
}

// TestParseRefuses spoils the good case in one place each time.
func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name     string
		old, new string
		want     string
	}{
		{"no text", good, "", "1: is empty; begin with the claim"},
		{"comments alone", good, "# to be written\n", "1: is empty; begin with the claim"},
		{"a list", good, "- claim\n", "1: a list stands where a case belongs"},
		{"broken YAML", "why: It", "why: @It", "2: is not YAML: found character that cannot start any token; mend it, or put a text with such signs in quotes"},
		{"a list without an end", "viewers: [user:ann]}", "viewers: [user:ann}", "5: is not YAML: did not find expected ',' or ']'; mend it, or put a text with such signs in quotes"},
		{"a colon in a text", "why: It is", "why: It is: ", "2: is not YAML: mapping values are not allowed in this context; mend it, or put a text with such signs in quotes"},
		{"a text that begins with a star", "why: It is", "why: *It is", "2: *It stands for nothing; put the text in quotes, or name what it repeats with &It"},
		{"a control character", "why: It", "why: \x01It", "2: is not YAML: control characters are not allowed; mend it, or put a text with such signs in quotes"},
		{"no UTF-8", "now: 2026", "now: \xff2026", "3: is not YAML: invalid leading UTF-8 octet; mend it, or put a text with such signs in quotes"},
		{"a tag that the value does not have", "admit: true", "admit: !!bool perhaps", "11: a case has no tags, and this is !!bool; leave it out"},
		{"a merge of no mapping", "want:", "facts: {<<: 3}\nwant:", "8: << repeats a mapping, and this is none; name one with *"},
		{"an unknown key", "why:", "because:", "2: because is not a key of a case; known are claim, why, now, world, request, handoff, raw, facts, settings, want"},
		{"an unknown key inside", "status:", "state:", "9: state is not a key of viewers; known are status, reasons"},
		{"an unknown key in a result", "admit: true", "admitted: true", "11: admitted is not a key of a result; known are id, admit, reasons, obligations"},
		{"a key twice", "why: It", "claim: x\nwhy: It", `2: "claim" stands here again, after line 1; keep one`},
		{"a wrong type", "admit: true", "admit: perhaps", "11: perhaps stands where true or false belongs"},
		{"two halves", "want:", "---\nwant:", "8: a second document begins; give each case a file of its own"},
		{"a second document", "reasons: [public]}\n", "reasons: [public]}\n---\nclaim: another\n", "12: a second document begins; give each case a file of its own"},
		{"no claim", "claim: The word public is everybody\n", "", "1: claim is missing: say in one sentence what must hold"},
		{"another claim", "The word", "A word", "1: the file of this claim is called a_word_public_is_everybody.yaml"},
		{"no why", "why: It is the top of all audiences.\n", "", "1: why is missing: say what goes wrong otherwise"},
		{"no clock", "now: 2026-11-30T20:00:01Z\n", "", "1: now is missing: give the clock of the decision"},
		{"no body", "request:", "settings:", "1: give the body as one of world, request, handoff and raw"},
		{"two bodies", "request:", "raw: x\nrequest:", "1: give the body as one of world, request, handoff and raw"},
		{"no assertion", good[strings.Index(good, "want:"):], "", "1: want asserts nothing: give refused, or viewers and results"},
		{"an empty assertion", good[strings.Index(good, "want:"):], "want: {}\n", "8: want asserts nothing: give refused, or viewers and results"},
		{"only what is absent", good[strings.Index(good, "want:"):], "want: {absent: [x]}\n", "8: want asserts nothing: give refused, or viewers and results"},
		{"refused and decided", "want:", "want:\n  refused: {code: invalid_json}", "8: a refused request has neither viewers nor results nor a verdict; leave out one or the other"},
		{"refused without a code", good[strings.Index(good, "want:"):], "want:\n  refused: {pointer: /turn}\n", "9: refused has no code; give one of invalid_json, invalid_request, too_large"},
		{"no viewers", "  viewers: {status: known}\n", "", "8: want has no viewers with a status; say known or ambiguous"},
		{"no status", "{status: known}", "{}", "8: want has no viewers with a status; say known or ambiguous"},
		{"no results", "  results:\n    - {id: m1, admit: true, reasons: [public]}\n", "", "8: want has no results; give one for each thing that is asked about, or an empty list"},
		{"a result that says neither", "admit: true, ", "", "11: result 0 has no admit: say true or false"},
		{"a result that says nothing", "admit: true", "admit: ~", "11: admit has no value; give one, or leave the key out"},
		{"a key without a value", "want:", "facts:\nwant:", "8: facts has no value; give one, or leave the key out"},
		{"nothing of the log", "  results:", "  recorded:\n  results:", "10: recorded has no value; give one, or leave the key out"},
		{"another status", "status: known", "status: knwon", "9: viewers are known or ambiguous, and these are knwon"},
		{"text that could not be there", "  results:", "  absent: [user:ann, user:bne]\n  results:", "10: user:bne is nowhere in this case, so that it is absent says nothing; name something that is"},
		{"a text in place of a list", "reasons: [public]", "reasons: public", "11: public stands where a list belongs"},
		{"a clock without a time", "20:00:01Z", "", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"a day alone", "T20:00:01Z", "", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"no zone", "01Z", "01", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"no time at all", "2026-11-30T20:00:01Z", "noon", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"another verdict", "  results:", "  verdict: BLEED\n  results:", "10: a verdict is one of ISOLATED_CONTEXT, AUTHORIZED_SHARING, BLEED_DETECTED, UNATTRIBUTED_CONTEXT, and this one is BLEED"},
		{"a manifest", "  results:", "  manifest_digest: aa\n  results:", "10: only the answer to a hand-off has a manifest digest; leave it out"},
		{"refused with no such code", good[strings.Index(good, "want:"):], "want:\n  refused: {code: forbidden}\n", "9: a body is refused with one of invalid_json, invalid_request, too_large, and this code is forbidden"},
		{"refused and recorded", good[strings.Index(good, "want:"):], "want:\n  refused: {code: invalid_json}\n  recorded: {denied: [m1]}\n", "10: a refused request is not recorded; leave recorded out"},
		{"a null result", "  results:\n", "  results:\n    -\n", "11: place 0 of this list has no value; give one, or leave the place out"},
		{"a null reason", "reasons: [public]", "reasons: [public, ~]", "11: place 1 of this list has no value; give one, or leave the place out"},
		{"a null roster member", "want:", "facts:\n  roster:\n    members: [user:ann, null]\nwant:", "10: place 1 of this list has no value; give one, or leave the place out"},
		{"a number as a name", "turn: {", "turn: {1: x, ", "5: 1 is no text, and the names in JSON are; put it in quotes"},
		{"a truth as a name", "- {id: m1, audience", "- {true: x, id: m1, audience", "7: true is no text, and the names in JSON are; put it in quotes"},
		{"null as a name", "turn: {", "turn: {~: x, ", "5: ~ is no text, and the names in JSON are; put it in quotes"},
		{"a list as a name", "turn: {", "turn: {[a]: x, ", "5: this key is no text, and the names in JSON are; put it in quotes"},
		{"a setting with a number as a name", "want:", "settings:\n  inherit_from: {7: []}\nwant:", "9: 7 is no text, and the names in JSON are; put it in quotes"},
		{"what is no number", "audience: public", "attributes: {score: .nan}, audience: public", "7: .nan is no number that JSON has; write another, or put it in quotes"},
		{"no end of a number", "audience: public", "attributes: {score: [1, -.inf]}, audience: public", "7: -.inf is no number that JSON has; write another, or put it in quotes"},
		{"no number in a setting", "want:", "settings: {evidence_max_age_s: .Inf}\nwant:", "8: .Inf is no number that JSON has; write another, or put it in quotes"},
		{"bytes", "audience: public", "attributes: {score: !!binary aGk=}, audience: public", "7: a case has no tags, and this is !!binary; leave it out"},
		{"no reasons", ", reasons: [public]", "", "11: result 0 has no reasons; every answer gives some"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(good, test.old) {
				t.Fatalf("the good case has no %q", test.old)
			}
			_, err := policytest.Parse(goodName, []byte(strings.Replace(good, test.old, test.new, 1)))
			if !errors.Is(err, policytest.ErrCase) {
				t.Fatalf("the error is %v, want one that matches policytest.ErrCase", err)
			}
			if diff := cmp.Diff("case refused: "+goodName+":"+test.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReadTakesEveryFile reads trees: the cases that are fit come back beside what is wrong with the
// others.
func TestReadTakesEveryFile(t *testing.T) {
	file, other := &fstest.MapFile{Data: []byte(good)}, &fstest.MapFile{Data: []byte("no case")}
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		cases int
		want  string
	}{
		{"cases", fstest.MapFS{goodName: file}, 1, ""},
		{"no cases", fstest.MapFS{"README.md": other}, 0, "read cases: case refused: there are none"},
		{"another ending", fstest.MapFS{goodName: file, "words/old.yml": file}, 1, "case refused: words/old.yml:1: a case is a file topic/claim.yaml"},
		{"no topic", fstest.MapFS{"the_word_public_is_everybody.yaml": file}, 0, "case refused: the_word_public_is_everybody.yaml:1: a case is a file topic/claim.yaml"},
		{"data of a policy", fstest.MapFS{goodName: file, "words/data.yaml": file}, 1, "case refused: words/data.yaml:1: a policy would take this file for its data; put the claim into a sentence"},
		{"a link", fstest.MapFS{goodName: file, "more": {Data: []byte("words"), Mode: fs.ModeSymlink}}, 1, "case refused: more:1: a symbolic link is not followed; put the files themselves here"},
		{"notes and backups", fstest.MapFS{goodName: file, "words/README.md": other, goodName + "~": other, "words/.x.yaml.swp": other}, 1, ""},
		{"two broken ones", fstest.MapFS{"words/a.yaml": {}, goodName: file, "words/z.yaml": {}}, 1,
			"case refused: words/a.yaml:1: is empty; begin with the claim\ncase refused: words/z.yaml:1: is empty; begin with the claim"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cases, err := policytest.Read(test.files)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
			if err != nil && !errors.Is(err, policytest.ErrCase) {
				t.Errorf("the error does not match policytest.ErrCase")
			}
			if len(cases) != test.cases {
				t.Errorf("%d cases were read, want %d", len(cases), test.cases)
			}
		})
	}
}
