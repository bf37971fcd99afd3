package policytest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
)

// TestCheckRefusesWhatCouldNotBeThere wants something to be absent that no answer to the case could
// hold, however much it told: the case could not fail.
func TestCheckRefusesWhatCouldNotBeThere(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	const (
		decided   = "want:\n  viewers: {status: known}\n  results:\n    - {id: m1, admit: false, reasons: [viewer_not_in_audience]}\n"
		request   = "request:\n  turn: {agent: agent:scribe, viewers: [user:ann]}\n  candidates:\n    - {id: m1, audience: [user:ben], agent: agent:scribe}\n"
		malformed = "request:\n  turn: {agent: agent:scribe, viewers: [user:ann]}\n  candidates:\n    - {id: m1, audience: user:ben, agent: agent:scribe}\n"
		unread    = "request:\n  turn: {viewers: [user:ann]}\n  candidates: []\nsettings: {revoked: [user:cat]}\n"
		refused   = "want:\n  refused: {code: invalid_request, pointer: /turn/agent}\n"
	)
	for _, test := range []struct {
		name, body, want, absent string
		problem                  string // empty where the case holds
	}{
		{"a viewer who did not hear it", request, decided, "[user:ann]", ""},
		{"a member", request, decided, "[user:ann, user:ben]",
			"14: user:ben cannot come into this answer, so that it is absent says nothing; leave it out, or name somebody whom the answer has for auditors: user:ann"},
		{"the value of what is malformed", malformed, strings.ReplaceAll(decided, "viewer_not_in_audience", "malformed"), "[user:ben]", ""},
		{"a value of a body that is refused", unread, refused, "[user:ann]", ""},
		{"a setting before a body that is refused", unread, refused, "[user:cat]",
			"11: user:cat cannot come into this answer, so that it is absent says nothing; leave it out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "claim: It is absent\nwhy: It is nobody's business.\nnow: 2026-11-30T20:00:01Z\n" +
				test.body + test.want + "  absent:\n    " + strings.ReplaceAll("- "+strings.Trim(test.absent, "[]"), ", ", "\n    - ") + "\n"
			c, err := policytest.Parse("absent/it_is_absent.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			diff, err := shipped.Check(t.Context(), c)
			if diff != "" {
				t.Fatal(diff)
			}
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), "case refused: absent/it_is_absent.yaml:")
			}
			if diff := cmp.Diff(test.problem, got); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckRefusesUnknownCodes puts a code that nothing gives in each place of a case.
func TestCheckRefusesUnknownCodes(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	const problem = "; codes are those of the contract, those that pdp check lists, and local:<code>"
	for _, test := range []struct {
		name, text, old, new string
		want                 string
	}{
		{"a reason", goodName, "reasons: [public]", "reasons: [public, pubilc]", "11: no rule gives the code pubilc" + problem},
		{"a doubt", goodName, "{status: known}", "{status: ambiguous, reasons: [viewer_empty]}", "9: no rule gives the code viewer_empty" + problem},
		{"an obligation", goodName, "reasons: [public]", "reasons: [public], obligations: [label]", "11: no rule gives the code label" + problem},
		{"no form of a local code", goodName, "reasons: [public]", "reasons: ['local:No Way']", "11: no rule gives the code local:No Way" + problem},
		{"a gate before a candidate", goodName, "reasons: [public]", "reasons: [boundary_undefined]", "11: no rule gives the code boundary_undefined" + problem},
		{"a rule before an element", goodHandoffName, "reasons: [own_element]", "reasons: [public]", "12: no rule gives the code public" + problem},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := map[string]string{goodName: good, goodHandoffName: goodHandoff}[test.text]
			c, err := policytest.Parse(test.text, []byte(strings.Replace(text, test.old, test.new, 1)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = shipped.Check(t.Context(), c)
			wrong, ok := errors.AsType[*policytest.CaseError](err)
			if !ok {
				t.Fatalf("the error is %v, want a *policytest.CaseError", err)
			}
			if diff := cmp.Diff("case refused: "+test.text+":"+test.want, wrong.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckSeesANameInTheAnswer holds an answer to the people whom only its fullest form may name.
func TestCheckSeesANameInTheAnswer(t *testing.T) {
	for _, test := range []struct {
		answer string
		want   string // how the difference begins
	}{
		{`{"results": [{"id": "m1", "detail": {"missing_viewers": ["user:ben"]}}]}`, `the answer names "user:ben", who is for auditors alone`},
		{`{"viewers": {"present": ["user:\"x\""]}}`, `the answer names "user:\"x\"", who is for auditors alone`},
		{`{"results": [{"id": "user:benny"}]}`, ""},
	} {
		got := policytest.CheckNames(test.answer, []string{"user:ben", `user:"x"`})
		if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: the difference is %q, want it to begin with %q", test.answer, got, test.want)
		}
	}
}
