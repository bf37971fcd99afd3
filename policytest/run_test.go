package policytest_test

import (
	"strings"
	"testing"

	"earshot/policy"
	"earshot/policytest"
)

// TestCheckSeesEveryDifference gives the runner a case whose wish is wrong in one place each time.
// A runner that overlooks one would prove less than it says.
func TestCheckSeesEveryDifference(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	tests := []struct {
		name  string
		spoil func(*policytest.Case)
		want  string // in the difference; empty where there is none
	}{
		{"nothing", func(*policytest.Case) {}, ""},
		{"the verdict that is right", func(c *policytest.Case) { c.Want.Verdict = "ISOLATED_CONTEXT" }, ""},
		{"the status", func(c *policytest.Case) { c.Want.Viewers.Status = "ambiguous" }, "- viewers: {status: ambiguous, reasons: []}\n+ viewers: {status: known, reasons: []}"},
		{"a doubt", func(c *policytest.Case) { c.Want.Viewers.Reasons = []string{"viewers_empty"} }, "viewers_empty"},
		{"the id", func(c *policytest.Case) { c.Want.Results[0].ID = "m2" }, `"m2"`},
		{"the admission", func(c *policytest.Case) { c.Want.Results[0].Admit = false }, `-   - {id: "m1", admit: false, reasons: [public]}`},
		{"a reason too many", func(c *policytest.Case) { c.Want.Results[0].Reasons = []string{"granted", "public"} }, "granted"},
		{"another reason", func(c *policytest.Case) { c.Want.Results[0].Reasons = []string{"granted"} }, "granted"},
		{"an obligation", func(c *policytest.Case) { c.Want.Results[0].Obligations = []string{"label_source"} }, "label_source"},
		{"a result too few", func(c *policytest.Case) { c.Want.Results = []policytest.Result{} }, `+   - {id: "m1"`},
		{"a result too many", func(c *policytest.Case) { c.Want.Results = append(c.Want.Results, c.Want.Results[0]) }, `-   - {id: "m1"`},
		{"the directive", func(c *policytest.Case) { c.Want.Directive = "PROCEED: 1 authorized shared elements." }, "- directive: PROCEED: 1 authorized shared elements."},
		{"the verdict", func(c *policytest.Case) { c.Want.Verdict = "BLEED_DETECTED" }, "BLEED_DETECTED"},
		{"a string that is there", func(c *policytest.Case) { c.Want.Absent = []string{"m1"} }, `holds "m1"`},
		{"a string that is not there", func(c *policytest.Case) { c.Want.Absent = []string{"user:ann"} }, ""},
		{"a string in the refusal", func(c *policytest.Case) {
			c.Request["turn"].(map[string]any)["viewer"] = "user:eve"
			c.Want = policytest.Want{Refused: &policytest.Refusal{Code: "invalid_request", Pointer: "/turn/viewer"}, Absent: []string{"turn/viewer"}}
		}, `holds "turn/viewer"`},
		{"a refusal of what is decided", func(c *policytest.Case) {
			c.Want = policytest.Want{Refused: &policytest.Refusal{Code: "invalid_request"}}
		}, "- refused: {code: invalid_request"},
		{"a decision of what is refused", func(c *policytest.Case) { delete(c.Request["turn"].(map[string]any), "agent") }, "+ refused: {code: invalid_request"},
		{"another pointer", func(c *policytest.Case) {
			delete(c.Request["turn"].(map[string]any), "agent")
			c.Want = policytest.Want{Refused: &policytest.Refusal{Code: "invalid_request", Pointer: "/turn"}}
		}, `- refused: {code: invalid_request, pointer: "/turn"}`},
		{"the pointer that is right", func(c *policytest.Case) {
			delete(c.Request["turn"].(map[string]any), "agent")
			c.Want = policytest.Want{Refused: &policytest.Refusal{Code: "invalid_request", Pointer: "/turn/agent"}}
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := policytest.Parse(goodName, []byte(strings.Replace(good, "18:00:00", "18:00:00Z", 1)))
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

// TestCheckFailsWhereNothingCanBeHeld covers the cases that are neither right nor wrong.
func TestCheckFailsWhereNothingCanBeHeld(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	for name, spoil := range map[string]func(*policytest.Case){
		"a grant of no candidate":         func(c *policytest.Case) { c.Facts.Grants = map[string][]string{"m9": {"user:ann"}} },
		"a seal of no candidate":          func(c *policytest.Case) { c.Facts.Seals = map[string]string{"m9": "valid"} },
		"a seal of nobody's making":       func(c *policytest.Case) { c.Facts.Seals = map[string]string{"m1": "probably"} },
		"settings that the policy lacks":  func(c *policytest.Case) { c.Settings = map[string]any{"seal_requierd": true} },
		"settings of the wrong type":      func(c *policytest.Case) { c.Settings = map[string]any{"placeholders": "none"} },
		"a value that JSON does not have": func(c *policytest.Case) { c.Request["turn"] = func() {} },
	} {
		t.Run(name, func(t *testing.T) {
			c, err := policytest.Parse(goodName, []byte(good))
			if err != nil {
				t.Fatal(err)
			}
			spoil(c)
			if diff, err := shipped.Check(t.Context(), c); err == nil {
				t.Errorf("the case is held, with the difference %q", diff)
			}
		})
	}
}
