package policytest_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"time"

	"earshot/policy"
	"earshot/policytest"
)

// now is the clock where a test needs one.
var now = time.Date(2026, time.November, 30, 20, 0, 1, 0, time.UTC)

// wrongPolicy returns the bundle with the heart of the rule cut out: a list admits whether or not it
// covers the viewers, and none of the rules with the given codes says otherwise. Only the requests
// by which the engine tries a bundle are still answered right.
func wrongPolicy(t *testing.T, off ...string) *policytest.Policy {
	t.Helper()
	wrong := policy.EmbeddedFS()
	// Back to front: a change leaves the places of the rules before it in the same file alone.
	for _, r := range slices.Backward(readRules(t, wrong)) {
		switch {
		case slices.Contains(off, r.code):
			weak := weaken(t, wrong, r, fmt.Sprintf("input.turn.agent == %q", canaryAgent))
			wrong = replaced(t, wrong, map[string][]byte{r.file: weak})
			off = slices.DeleteFunc(slices.Clone(off), func(code string) bool { return code == r.code })
		case r.code == "audience_covers_viewers":
			text, err := fs.ReadFile(wrong, r.file)
			if err != nil {
				t.Fatal(err)
			}
			text = fmt.Appendf(text, "\npermit contains %q if input.turn.agent != %q\n", r.code, canaryAgent)
			wrong = replaced(t, wrong, map[string][]byte{r.file: text})
		}
	}
	if len(off) > 0 {
		t.Fatalf("the policy is not as wrong as it should be: there is no rule for %v", off)
	}
	return policytest.NewPolicy(wrong)
}

// audienceForbids are the forbids that stand between a viewer and an item they did not hear.
var audienceForbids = []string{
	"viewer_not_in_audience", "source_audience_narrower", "audience_missing", "viewers_ambiguous", "external_viewer",
}

// TestNoPolicyAdmitsBeyondTheAudience asks a policy that admits everything for what it must not
// admit. The engine's own subset test denies, and says that the policy was wrong.
func TestNoPolicyAdmitsBeyondTheAudience(t *testing.T) {
	wrong := wrongPolicy(t, audienceForbids...)
	source := func(audience any) []any { return []any{policytest.JSON{"id": "m0", "audience": audience}} }
	people := func(names ...any) []any { return append([]any{}, names...) }
	known := policytest.Viewers{Status: "known"}
	ambiguous := func(code string) policytest.Viewers {
		return policytest.Viewers{Status: "ambiguous", Reasons: []string{code}}
	}
	tests := []struct {
		name      string
		turn      policytest.JSON
		candidate policytest.JSON
		viewers   policytest.Viewers
		reason    string // invariant_violation where empty
	}{
		{
			name:      "a list that does not cover the viewers",
			turn:      policytest.JSON{"viewers": people("user:ann", "user:ben")},
			candidate: policytest.JSON{"audience": people("user:ann")},
			viewers:   known,
		},
		{
			name:      "a source that is narrower",
			turn:      policytest.JSON{"viewers": people("user:ann", "user:ben")},
			candidate: policytest.JSON{"audience": "public", "kind": "summary", "sources": source(people("user:ann"))},
			viewers:   known,
		},
		{
			name:      "a source of nobody",
			turn:      policytest.JSON{"viewers": people("user:ann")},
			candidate: policytest.JSON{"kind": "summary", "sources": source(nil)},
			viewers:   known,
		},
		{
			name:      "an audience of nobody",
			turn:      policytest.JSON{"viewers": people("user:ann")},
			candidate: policytest.JSON{"audience": people()},
			viewers:   known,
		},
		{
			name:      "viewers that are not known",
			turn:      policytest.JSON{"viewers": nil},
			candidate: policytest.JSON{"audience": people("user:ann")},
			viewers:   ambiguous("viewers_missing"),
		},
		{
			name:      "no viewers",
			turn:      policytest.JSON{"viewers": people()},
			candidate: policytest.JSON{"audience": people("user:ann")},
			viewers:   ambiguous("viewers_empty"),
		},
		{
			name:      "viewers in doubt",
			turn:      policytest.JSON{"viewers": people("user:ann"), "viewers_basis": "guessed"},
			candidate: policytest.JSON{"audience": "tenant"},
			viewers:   ambiguous("viewers_not_authenticated"),
		},
		{
			name: "a tenant's item before an external viewer",
			turn: policytest.JSON{
				"viewers": people("user:ann", "guest:dan"), "external_viewers": people("guest:dan"),
			},
			candidate: policytest.JSON{"audience": "tenant"},
			viewers:   known,
		},
		{
			name:      "control: a list that covers the viewers",
			turn:      policytest.JSON{"viewers": people("user:ann")},
			candidate: policytest.JSON{"audience": people("user:ann", "user:ben")},
			viewers:   known,
			reason:    "audience_covers_viewers",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.turn["agent"] = "agent:scribe"
			test.candidate["id"] = "m1"
			test.candidate["agent"] = "agent:scribe"
			want := policytest.Result{ID: "m1", Reasons: []string{policy.CodeInvariantViolation}}
			if test.reason != "" {
				want = policytest.Result{ID: "m1", Admit: true, Reasons: []string{test.reason}}
			}
			diff, err := wrong.Check(t.Context(), &policytest.Case{
				Name:    test.name,
				Now:     now,
				Request: policytest.JSON{"turn": test.turn, "candidates": []any{test.candidate}},
				Want:    policytest.Want{Viewers: &test.viewers, Results: []policytest.Result{want}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if !diff.Holds() {
				t.Error(diff.Text)
			}
		})
	}
}

// TestNoPolicyMakesUpViewers goes one step further: the policy calls every viewer set known as well.
func TestNoPolicyMakesUpViewers(t *testing.T) {
	wrong := wrongPolicy(t, append(slices.Clone(audienceForbids), contractCodes["ambiguous"]...)...)
	for name, viewers := range map[string]any{"missing": nil, "empty": []any{}} {
		t.Run(name, func(t *testing.T) {
			diff, err := wrong.Check(t.Context(), &policytest.Case{
				Name: name,
				Now:  now,
				Request: policytest.JSON{
					"turn":       policytest.JSON{"agent": "agent:scribe", "viewers": viewers},
					"candidates": []any{policytest.JSON{"id": "m1", "audience": []any{"user:ann"}, "agent": "agent:scribe"}},
				},
				Want: policytest.Want{
					Viewers: &policytest.Viewers{Status: "known"},
					Results: []policytest.Result{{ID: "m1", Reasons: []string{policy.CodeInvariantViolation}}},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if !diff.Holds() {
				t.Error(diff.Text)
			}
		})
	}
}

// TestAPolicyWithoutItsHeartDoesNotLoad switches off the rules that every request leans on. The
// engine tries a bundle before it decides with it.
func TestAPolicyWithoutItsHeartDoesNotLoad(t *testing.T) {
	shipped := policy.EmbeddedFS()
	heart := map[string]bool{"audience_covers_viewers": true, "viewer_not_in_audience": true, "audience_missing": true}
	for _, r := range readRules(t, shipped) {
		if !heart[r.code] {
			continue
		}
		delete(heart, r.code)
		t.Run(r.code, func(t *testing.T) {
			mutant := replaced(t, shipped, map[string][]byte{r.file: weaken(t, shipped, r, "false")})
			if _, err := policytest.NewPolicy(mutant).Engine(t.Context(), nil); !errors.Is(err, policy.ErrBundle) {
				t.Errorf("a bundle without %s loads: error is %v, want one that matches policy.ErrBundle", r.code, err)
			}
		})
	}
	if len(heart) > 0 {
		t.Errorf("the bundle has no rule for %v", heart)
	}
}
