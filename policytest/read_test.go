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
		{"no text", good, "", "1: is empty"},
		{"comments alone", good, "# to be written\n", "1: is empty"},
		{"a list", good, "- claim\n", "1: a list stands where a case belongs"},
		{"broken YAML", "why: It", "why: @It", "2: found character that cannot start any token"},
		{"an unknown key", "why:", "because:", "2: because is not a key of a case; known are claim, why, now, world, request, raw, facts, settings, want"},
		{"an unknown key inside", "status:", "state:", "9: state is not a key of viewers; known are status, reasons"},
		{"an unknown key in a result", "admit: true", "admitted: true", "11: admitted is not a key of a result; known are id, admit, reasons, obligations"},
		{"a key twice", "why: It", "claim: x\nwhy: It", `2: mapping key "claim" already defined at line 1`},
		{"a wrong type", "admit: true", "admit: perhaps", "11: perhaps stands where true or false belongs"},
		{"two halves", "want:", "---\nwant:", "8: a second document begins; a case is one"},
		{"a second document", "reasons: [public]}\n", "reasons: [public]}\n---\nclaim: another\n", "12: a second document begins; a case is one"},
		{"no claim", "claim: The word public is everybody\n", "", "1: claim is missing: say in one sentence what must hold"},
		{"another claim", "The word", "A word", "1: the file of this claim is called a_word_public_is_everybody.yaml"},
		{"no why", "why: It is the top of all audiences.\n", "", "1: why is missing: say what goes wrong otherwise"},
		{"no clock", "now: 2026-11-30T20:00:01Z\n", "", "1: now is missing: give the clock of the decision"},
		{"no body", "request:", "settings:", "1: give the body as one of world, request and raw"},
		{"two bodies", "request:", "raw: x\nrequest:", "1: give the body as one of world, request and raw"},
		{"no assertion", good[strings.Index(good, "want:"):], "", "1: want asserts nothing: give refused, or viewers and results"},
		{"an empty assertion", good[strings.Index(good, "want:"):], "want: {}\n", "8: want asserts nothing: give refused, or viewers and results"},
		{"only what is absent", good[strings.Index(good, "want:"):], "want: {absent: [x]}\n", "8: want asserts nothing: give refused, or viewers and results"},
		{"refused and decided", "want:", "want:\n  refused: {code: invalid_json}", "8: a refused request has neither viewers nor results nor a verdict"},
		{"refused without a code", good[strings.Index(good, "want:"):], "want:\n  refused: {pointer: /turn}\n", "9: refused has no code"},
		{"no viewers", "  viewers: {status: known}\n", "", "8: want has no viewers with a status"},
		{"no status", "{status: known}", "{}", "8: want has no viewers with a status"},
		{"no results", "  results:\n    - {id: m1, admit: true, reasons: [public]}\n", "", "8: want has no results; the answer to no candidates has an empty list"},
		{"a result that says neither", "admit: true, ", "", "11: result 0 has no admit: say true or false"},
		{"a result that says nothing", "admit: true", "admit: ~", "11: admit has no value; give one, or leave the key out"},
		{"a key without a value", "want:", "facts:\nwant:", "8: facts has no value; give one, or leave the key out"},
		{"nothing of the log", "  results:", "  recorded:\n  results:", "10: recorded has no value; give one, or leave the key out"},
		{"another status", "status: known", "status: knwon", "9: viewers are known or ambiguous, and these are knwon"},
		{"text that could not be there", "  results:", "  absent: [user:ann, user:bne]\n  results:", "10: user:bne is nowhere in this case, so that it is absent says nothing"},
		{"a text in place of a list", "reasons: [public]", "reasons: public", "11: public stands where a list belongs"},
		{"a clock without a time", "20:00:01Z", "", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"a day alone", "T20:00:01Z", "", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"no zone", "01Z", "01", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
		{"no time at all", "2026-11-30T20:00:01Z", "noon", "3: a time needs date, time and zone, such as 2026-11-30T20:00:01Z"},
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
		{"a link", fstest.MapFS{goodName: file, "more": {Data: []byte("words"), Mode: fs.ModeSymlink}}, 1, "case refused: more:1: a symbolic link is not followed"},
		{"notes and backups", fstest.MapFS{goodName: file, "words/README.md": other, goodName + "~": other, "words/.x.yaml.swp": other}, 1, ""},
		{"two broken ones", fstest.MapFS{"words/a.yaml": {}, goodName: file, "words/z.yaml": {}}, 1,
			"case refused: words/a.yaml:1: is empty\ncase refused: words/z.yaml:1: is empty"},
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
