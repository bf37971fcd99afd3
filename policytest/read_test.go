package policytest_test

import (
	"errors"
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
		{"a list", good, "- claim\n", "1: cannot unmarshal !!seq into policytest.Case"},
		{"broken YAML", "why: It", "why: @It", "2: found character that cannot start any token"},
		{"an unknown key", "why:", "because:", "2: field because not found in type policytest.Case"},
		{"an unknown key inside", "status:", "state:", "9: field state not found in type policytest.Viewers"},
		{"an unknown key in a result", "admit: true", "admitted: true", "11: field admitted not found in type policytest.Result"},
		{"a key twice", "why: It", "claim: x\nwhy: It", `2: mapping key "claim" already defined at line 1`},
		{"a wrong type", "admit: true", "admit: perhaps", "11: cannot unmarshal !!str `perhaps` into bool"},
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

func TestReadTakesEveryFile(t *testing.T) {
	file := &fstest.MapFile{Data: []byte(good)}
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{"cases", fstest.MapFS{goodName: file}, ""},
		{"no cases", fstest.MapFS{}, "read cases: case refused: there are none"},
		{"another ending", fstest.MapFS{goodName: file, "words/old.yml": file}, "read cases: case refused: words/old.yml:1: a case is a file topic/claim.yaml"},
		{"no topic", fstest.MapFS{"the_word_public_is_everybody.yaml": file}, "read cases: case refused: the_word_public_is_everybody.yaml:1: a case is a file topic/claim.yaml"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if _, err := policytest.Read(test.files); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}
