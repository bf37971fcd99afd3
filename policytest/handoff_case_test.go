package policytest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
)

// goodHandoff is a case about a hand-off that is fit to prove something. The tests below spoil it.
const goodHandoff = `claim: What an agent made itself it may take along
why: It inherits from nobody.
now: 2026-11-30T20:00:01Z
handoff:
  agent_id: agent:billing
  elements: [{element_id: e1, source_agent_id: agent:billing}]
  boundary: {shared_substrate: true}
want:
  verdict: ISOLATED_CONTEXT
  directive: "PROCEED: Agent agent:billing has isolated context."
  results:
    - {id: e1, admit: true, reasons: [own_element]}
  recorded: {agent: agent:billing, admitted: [e1], denied: []}
`

const goodHandoffName = "handoffs/what_an_agent_made_itself_it_may_take_along.yaml"

// TestParseRefusesAHandoff spoils the good hand-off in one place each time.
func TestParseRefusesAHandoff(t *testing.T) {
	for _, test := range []struct {
		name     string
		old, new string
		want     string
	}{
		{"a second body", "handoff:", "raw: x\nhandoff:", "1: give the body as one of world, request, handoff and raw"},
		{"facts", "want:", "facts: {grants: {e1: [user:ann]}}\nwant:", "8: a hand-off asks for no facts; leave them out"},
		{"viewers", "  verdict", "  viewers: {status: known}\n  verdict", "9: a hand-off has no viewers; leave them out"},
		{"no verdict", "  verdict: ISOLATED_CONTEXT\n", "", "8: want has no verdict with its directive; give both"},
		{"no directive", "  directive: \"PROCEED: Agent agent:billing has isolated context.\"\n", "", "8: want has no verdict with its directive; give both"},
		{"no results", "  results:\n    - {id: e1, admit: true, reasons: [own_element]}\n", "", "8: want has no results; give one for each thing that is asked about, or an empty list"},
		{"nothing asserted", goodHandoff[strings.Index(goodHandoff, "want:"):], "want: {}\n", "8: want asserts nothing: give refused, or verdict, directive and results"},
		{"no manifest digest", "  verdict", "  manifest_digest: sha256:aa\n  verdict", "9: a manifest digest is 64 hex digits in lower case"},
		{"a channel", "recorded: {", "recorded: {channel: agent:billing, ", "13: the record of a hand-off has no channel, tenant or viewers; leave them out"},
		{"a result that says neither", "admit: true, ", "", "12: result 0 has no admit: say true or false"},
		{"a number as a name", "boundary: {", "boundary: {1: x, ", "7: 1 is no text, and the names in JSON are; put it in quotes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(goodHandoff, test.old) {
				t.Fatalf("the good hand-off has no %q", test.old)
			}
			_, err := policytest.Parse(goodHandoffName, []byte(strings.Replace(goodHandoff, test.old, test.new, 1)))
			if !errors.Is(err, policytest.ErrCase) {
				t.Fatalf("the error is %v, want one that matches policytest.ErrCase", err)
			}
			if diff := cmp.Diff("case refused: "+goodHandoffName+":"+test.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheckSeesEveryDifferenceOfAHandoff gives the runner a hand-off whose wish is wrong in one place
// each time.
func TestCheckSeesEveryDifferenceOfAHandoff(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	for _, test := range []struct {
		name  string
		spoil func(*policytest.Case)
		want  string // in the difference; empty where there is none
	}{
		{"nothing", func(*policytest.Case) {}, ""},
		{"the verdict", func(c *policytest.Case) { c.Want.Verdict = "AUTHORIZED_SHARING" }, "- verdict: AUTHORIZED_SHARING\n+ verdict: ISOLATED_CONTEXT"},
		{"the directive", func(c *policytest.Case) { c.Want.Directive = "HALT: " }, "- directive: HALT: \n+ directive: PROCEED: "},
		{"the digest", func(c *policytest.Case) { c.Want.ManifestDigest = strings.Repeat("0", 64) }, "- manifest_digest: 0000"},
		{"the id", func(c *policytest.Case) { c.Want.Results[0].ID = "e2" }, `+   - {id: "e1"`},
		{"the admission", func(c *policytest.Case) { c.Want.Results[0].Admit = false }, `-   - {id: "e1", admit: false`},
		{"a reason", func(c *policytest.Case) { c.Want.Results[0].Reasons = []string{"single_origin"} }, "single_origin"},
		{"an obligation", func(c *policytest.Case) { c.Want.Results[0].Obligations = []string{"label_source"} }, "label_source"},
		{"a result too few", func(c *policytest.Case) { c.Want.Results = []policytest.Result{} }, `+   - {id: "e1"`},
		{"the agent in the log", func(c *policytest.Case) { c.Want.Recorded.Agent = "agent:scribe" }, "- agent: agent:scribe\n+ agent: agent:billing"},
		{"the admitted in the log", func(c *policytest.Case) { c.Want.Recorded.Admitted = []string{} }, "- admitted: []\n+ admitted: [e1]"},
		{"what is in the log", func(c *policytest.Case) { c.Want.Recorded.Absent = []string{"agent:billing"} }, `the recorded entry holds "agent:billing"`},
		{"a string that is there", func(c *policytest.Case) { c.Want.Absent = []string{"agent:billing"} }, `holds "agent:billing"`},
		{"a refusal of what is decided", func(c *policytest.Case) {
			c.Want = policytest.Want{Refused: &policytest.Refusal{Code: "invalid_request"}}
		}, "- refused: {code: invalid_request"},
		{"a decision of what is refused", func(c *policytest.Case) { c.Handoff["inherited"] = 1 }, `+ refused: {code: invalid_request, pointer: "/inherited"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := policytest.Parse(goodHandoffName, []byte(goodHandoff))
			if err != nil {
				t.Fatal(err)
			}
			test.spoil(c)
			diff, err := shipped.Check(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if (diff == "") != (test.want == "") || !strings.Contains(diff, test.want) {
				t.Errorf("the difference is %q, want one with %q", diff, test.want)
			}
		})
	}
}
