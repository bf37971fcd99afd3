package policytest_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// extraForbid is a rule that an author might add, good or bad.
type extraForbid struct {
	name, rule string

	// code is what a result says where the rule fires.
	code string
}

var extraForbids = []extraForbid{
	{"by_kind", `forbid contains "by_kind" if input.candidate.kind == "fact"`, "local:by_kind"},
	{"by_viewer", `forbid contains "by_viewer" if "user:ann" in input.turn.viewers`, "local:by_viewer"},
	{"odd_code", `forbid contains {"code": 7} if input.candidate.id == "m1"`, `local:{"code": 7}`},
	{"like_permit", `forbid contains "public" if input.candidate.audience.kind == "public"`, "local:public"},
	{"with_an_error", `forbid contains "with_an_error" if {
	input.candidate.id == "m2"
	to_number(input.candidate.id) > 0
}`, "policy_error"},
}

// fires reports whether the rule is among the reasons of a result.
func (f extraForbid) fires(r policy.Result) bool { return slices.Contains(r.Reasons, f.code) }

// stricter returns the shipped policy with the rule.
func (f extraForbid) stricter(t *testing.T) policytest.Decider {
	t.Helper()
	return policytest.NewPolicy(withLocalRule(t, f.name, f.rule)).Decide
}

// moreForbids: a policy with one more local rule admits nothing that shipped does not.
func moreForbids(shipped *policytest.Policy) func(*rapid.T) claim {
	return func(t *rapid.T) claim {
		q := forbidQuestion(t)
		return func(ctx context.Context, decide policytest.Decider) error {
			before, err := q.decide(ctx, shipped.Decide)
			if err != nil {
				return err
			}
			after, err := q.decide(ctx, decide)
			if err != nil {
				return err
			}
			return notMoreThan([]question{q}, before, after)
		}
	}
}

// forbidQuestion draws a question for a rule that is added. Each rule is a policy to compile, and one
// settings will do.
func forbidQuestion(t *rapid.T) question {
	q := anyQuestion(t)
	q.Settings = allSettings()[0]
	return q
}

// lawsOfForbids returns the law of moreForbids for each of extraForbids. What breaks it is a policy in
// which the rule lets in what it should hold back.
func lawsOfForbids(t *testing.T, shipped *policytest.Policy) []law {
	t.Helper()
	var all []law
	for _, f := range extraForbids {
		stricter := f.stricter(t)
		all = append(all, law{
			name:    "one more forbid admits nothing more, " + f.name,
			draw:    moreForbids(shipped),
			subject: stricter,
			wrong: answering(stricter, func(_ question, a *reading.Answer) {
				for i := range a.Results {
					if f.fires(a.Results[i]) {
						a.Results[i].Admit, a.Results[i].Reasons = true, []string{f.code}
					}
				}
			}),
		})
	}
	return all
}

// TestEveryExtraForbidFires counts how often each rule fires, and how often it alone holds an item
// back: a rule that never does shows nothing.
func TestEveryExtraForbidFires(t *testing.T) {
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	questions := rapid.Custom(forbidQuestion)
	for _, f := range extraForbids {
		t.Run(f.name, func(t *testing.T) {
			stricter := f.stricter(t)
			fired, alone := 0, 0
			for seed := range 200 {
				q := questions.Example(seed)
				before, err := q.decide(t.Context(), shipped.Decide)
				if err != nil {
					t.Fatal(err)
				}
				after, err := q.decide(t.Context(), stricter)
				if err != nil {
					t.Fatal(err)
				}
				for i, r := range after.Results {
					if f.fires(r) {
						fired++
						if before.Results[i].Admit {
							alone++
						}
					}
				}
			}
			t.Logf("it fires %d times, %d of them alone", fired, alone)
			if fired < 20 || alone < 5 {
				t.Errorf("it fires %d times, want at least 20, and alone %d times, want at least 5", fired, alone)
			}
		})
	}
}

// withLocalRule returns the shipped bundle with one more rule of an author.
func withLocalRule(t *testing.T, name, rule string) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	if err := fs.WalkDir(policy.EmbeddedFS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(policy.EmbeddedFS(), path)
		out[path] = &fstest.MapFile{Data: text}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("package local.%s\n\n%s\n", name, rule)
	out[fmt.Sprintf("local/%s/%s.rego", name, name)] = &fstest.MapFile{Data: []byte(text)}
	return out
}
