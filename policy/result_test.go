package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"earshot/policy"
)

const (
	knownReport = `{"known": true, "reasons": set(), "present": input.turn.viewers}`
	noProblems  = `set()`
)

// TestIllFormedAnswersAreRefused gives the engine policies that answer in every wrong shape. A
// policy that always does is refused at load.
func TestIllFormedAnswersAreRefused(t *testing.T) {
	for name, decision := range map[string]string{
		"not an object":          `true`,
		"no permits":             `{"admit": true, "forbids": set(), "obligations": set()}`,
		"one field more":         `{"admit": true, "permits": {"public"}, "forbids": set(), "obligations": set(), "extra": 1}`,
		"admit is a string":      `{"admit": "true", "permits": {"public"}, "forbids": set(), "obligations": set()}`,
		"codes are numbers":      `{"admit": true, "permits": {1}, "forbids": set(), "obligations": set()}`,
		"an empty code":          `{"admit": true, "permits": {""}, "forbids": set(), "obligations": set()}`,
		"admit without a permit": `{"admit": true, "permits": set(), "forbids": set(), "obligations": set()}`,
		"admit despite a forbid": `{"admit": true, "permits": {"public"}, "forbids": {"expired"}, "obligations": set()}`,
		"deny without a reason":  `{"admit": false, "permits": set(), "forbids": set(), "obligations": set()}`,
		"undefined":              `input.candidate.no_such_field`,
		"an error":               `1 / (input.turn.attempt - input.turn.attempt)`,
		"admits a stranger":      `{"admit": true, "permits": {"public"}, "forbids": set(), "obligations": set()}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, decision, knownReport, noProblems))
			if !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "self-check") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestIllFormedAnswersAreDenied is the same in use: a policy that is right at load and goes wrong
// for some candidates.
func TestIllFormedAnswersAreDenied(t *testing.T) {
	right := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, wrong := range map[string]string{
		"undefined":   `input.candidate.no_such_field`,
		"an error":    `1 / input.candidate.attributes.zero`,
		"wrong shape": `"yes"`,

		// Each of these denies, as the right one does, and has one thing wrong.
		"one field more":      `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set(), "extra": 1}`,
		"one field fewer":     `{"admit": false, "permits": set(), "forbids": {"no"}}`,
		"another field":       `{"admit": false, "permits": set(), "forbids": {"no"}, "obligation": set()}`,
		"admit is a string":   `{"admit": "false", "permits": set(), "forbids": {"no"}, "obligations": set()}`,
		"an empty code":       `{"admit": false, "permits": set(), "forbids": {"no", ""}, "obligations": set()}`,
		"a code is a number":  `{"admit": false, "permits": set(), "forbids": {"no", 1}, "obligations": set()}`,
		"an empty obligation": `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": {""}}`,
		"no reason":           `{"admit": false, "permits": set(), "forbids": set(), "obligations": set()}`,
	} {
		t.Run(name, func(t *testing.T) {
			decision := "_for(input.candidate.id)\n\n_for(id) := " + wrong + " if id == \"trap\"\n\n_for(id) := " + right + " if id != \"trap\""
			p := newPoint(t, bundleOf(t, decision, knownReport, noProblems), &memory{})
			trap := item("trap", policy.Everybody())
			trap.Attributes = []byte(`{"zero": 0}`)
			d := decide(t, p, turn("user:ann"), trap, item("next", policy.Everybody()))
			if r := d.Results[0]; r.Admit || r.Reasons[0] != policy.CodePolicyError {
				t.Errorf("trap: %+v", r)
			}
			if r := d.Results[1]; r.Reasons[0] != "no" {
				t.Errorf("its neighbour: %+v", r)
			}
		})
	}
}

func TestIllFormedViewersAreUnavailable(t *testing.T) {
	right := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, report := range map[string]string{
		"undefined":               `input.turn.no_such_field`,
		"not an object":           `"known"`,
		"known despite a reason":  `{"known": true, "reasons": {"viewers_empty"}, "present": set()}`,
		"ambiguous for no reason": `{"known": false, "reasons": set(), "present": set()}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, right, report, noProblems))
			if !errors.Is(err, policy.ErrBundle) || !errors.Is(err, policy.ErrPolicyUnavailable) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Codes are reported in order and once, whatever the policy makes of them.
func TestCodesAreASortedSet(t *testing.T) {
	decision := `{"admit": false, "permits": set(), "forbids": ["no", "also", "no"], "obligations": set()}`
	d := decide(t, newPoint(t, bundleOf(t, decision, knownReport, noProblems), &memory{}), turn("user:ann"), item("m1", policy.Everybody()))
	if got := d.Results[0].Reasons; !slices.Equal(got, []string{"also", "no"}) {
		t.Errorf("reasons %q", got)
	}
}

// The digest is of the set, in whatever order and however often its members are named.
func TestViewersDigestIsOfASet(t *testing.T) {
	// printf '["user:ann","user:ben"]' | sha256sum
	const want = "sha256:942bcf097c8b0d37dbc771a51c9d978488c061bb6ba4ed8d645c8647a2d311ff"
	for _, viewers := range [][]string{{"user:ann", "user:ben"}, {"user:ben", "user:ann", "user:ben"}} {
		if got := policy.ViewersDigest(viewers); got != want {
			t.Errorf("%v: %s, want %s", viewers, got, want)
		}
	}
	if policy.ViewersDigest(nil) == policy.ViewersDigest([]string{}) {
		t.Error("viewers who are not known and a room with nobody have the same digest")
	}
}
