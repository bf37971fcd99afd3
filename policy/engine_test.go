package policy_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"earshot/policy"
)

func TestProblemsInSettingsRefuseTheBundle(t *testing.T) {
	decision := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, problems := range map[string]string{
		"a problem": `{"evidence_max_age_s must be a number"}`,
		"undefined": `input.nothing`,
		"not a set": `"fine"`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, decision, knownReport, problems))
			if !errors.Is(err, policy.ErrBundle) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAFailureNamesItsCause(t *testing.T) {
	files := embeddedFiles(t)
	files["local/mine/mine.rego"] = file("package local.mine\n" +
		strings.Replace(annotated, `input.turn.channel == "mine"`, `1 / input.candidate.attributes.n > 1`, 1))
	b, err := policy.BundleFromFS(files)
	if err != nil {
		t.Fatal(err)
	}
	p := newPoint(t, b, &memory{})
	zero := item("zero", policy.Everybody())
	zero.Attributes = []byte(`{"n": 0}`)
	d := decide(t, p, turn("user:ann"), item("plain", policy.Everybody()), zero)
	if !d.Results[0].Admit || d.Results[1].Admit || d.Results[1].Reasons[0] != policy.CodePolicyError {
		t.Errorf("results: %+v", d.Results)
	}
	if len(d.Failures) != 1 || d.Failures[0].Position != 1 {
		t.Fatalf("failures: %+v", d.Failures)
	}
	const want = "local/mine/mine.rego:8: eval_builtin_error: div: divide by zero"
	if got := d.Failures[0].Cause.Error(); got != want {
		t.Errorf("cause %q, want %q", got, want)
	}
	if got := p.Explain(d, 1).Failure; got != want {
		t.Errorf("explained as %q, want %q", got, want)
	}
}

func TestAPolicyThatTakesTooLongIsUnavailable(t *testing.T) {
	files := embeddedFiles(t)
	files["local/mine/mine.rego"] = file("package local.mine\n" + strings.Replace(annotated, `input.turn.channel == "mine"`,
		`{
	input.turn.channel == "slow"
	some a in numbers.range(1, 1000)
	some b in numbers.range(1, 1000)
	some c in numbers.range(1, 1000)
	a + b + c == 0
}`, 1))
	engine, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	log := &memory{}
	p, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: log, DecideTimeout: 50 * time.Millisecond,
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "1", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	slow := turn("user:ann")
	slow.Channel = "slow"
	d, err := p.Decide(t.Context(), policy.Request{Turn: slow, Candidates: []policy.Candidate{item("m1", policy.Everybody())}})
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || len(log.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(log.entries))
	}
}
