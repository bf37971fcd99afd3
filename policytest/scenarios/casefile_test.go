package scenarios_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"earshot/policytest"
	"earshot/policytest/scenarios"
	"earshot/policytest/world"
)

// TestScenariosAreCases reads every scenario back as a case: it has the same turn, and the policy
// answers it as the ledger expects.
func TestScenariosAreCases(t *testing.T) {
	config, policy := newConfig(t, shipped()), shipped()
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	names := scenarios.Names()
	if len(names) != len(all) {
		t.Fatalf("%d names for %d scenarios", len(names), len(all))
	}
	for i, name := range names {
		if all[i].Name != name {
			t.Errorf("the name %d is %s, want %s", i, name, all[i].Name)
		}
		decided, err := scenarios.RunOne(t.Context(), scenarios.Seed, name, config)
		if err != nil {
			t.Fatal(err)
		}
		text, err := decided.YAML()
		if err != nil {
			t.Fatal(err)
		}
		claim := name + " keeps what must not be learned"
		file := strings.Join(strings.FieldsFunc(strings.ToLower(claim), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}), "_")
		cases, err := policytest.Read(fstest.MapFS{"scenarios/" + file + ".yaml": {Data: text}})
		if err != nil || len(cases) != 1 {
			t.Fatalf("%s is no case: %v\n%s", name, err, text)
		}
		diff, err := policy.Check(t.Context(), cases[0])
		if err != nil || diff != "" {
			t.Errorf("%s: %v%s\n%s", name, err, diff, text)
		}
		want, err := all[i].World.Body()
		if err != nil {
			t.Fatal(err)
		}
		if got := bodyOf(t, cases[0]); got != string(want) {
			t.Errorf("%s makes the body %s, want %s", name, got, want)
		}
		for _, label := range []string{
			"subject: " + all[i].Flow.Subject, "sender: " + all[i].Flow.Sender, "recipient: " + all[i].Flow.Recipient,
			"information type: " + all[i].Flow.Type, "transmission principle: " + all[i].Flow.Principle, "Every assertion holds.",
		} {
			if !strings.Contains(string(text), "# "+label) && !strings.Contains(string(text), "#   "+label) {
				t.Errorf("%s does not show %q:\n%s", name, label, text)
			}
		}
	}
}

// TestUnknownScenario asks for one that there is not.
func TestUnknownScenario(t *testing.T) {
	_, err := scenarios.RunOne(t.Context(), scenarios.Seed, "owner-private 9", newConfig(t, shipped()))
	if !errors.Is(err, scenarios.ErrUnknownScenario) {
		t.Errorf("the error is %v", err)
	}
}

// bodyOf is the body that the world of a case makes.
func bodyOf(t *testing.T, c *policytest.Case) string {
	t.Helper()
	w, err := world.Tell(*c.World, c.Now)
	if err != nil {
		t.Fatal(err)
	}
	body, err := w.Body()
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
