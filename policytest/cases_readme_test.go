package policytest_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/world"
)

var (
	section  = regexp.MustCompile(`(?m)^## (.*)$`)
	keyRow   = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|.*\\| `.+` ?.*\\|$")
	yamlText = regexp.MustCompile("(?s)```yaml\n(.*?)```")
)

// TestReadmeOfCasesHasEveryKey compares the tables of the documentation with the keys that the reader
// takes, mapping by mapping and in their order.
func TestReadmeOfCasesHasEveryKey(t *testing.T) {
	text := readmeOfCases(t)
	got := map[string][]string{}
	begins := section.FindAllStringSubmatchIndex(text, -1)
	for i, at := range begins {
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		for _, row := range keyRow.FindAllStringSubmatch(text[at[0]:end], -1) {
			name := text[at[2]:at[3]]
			got[name] = append(got[name], row[1])
		}
	}
	want := policytest.KeysOfCase()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("the mappings (-of the reader +in the documentation):\n%s", diff)
	}
	for name := range want {
		slices.Sort(want[name])
		slices.Sort(got[name])
		if diff := cmp.Diff(want[name], got[name]); diff != "" {
			t.Errorf("the keys of %s (-of the reader +in the documentation):\n%s", name, diff)
		}
	}
	for _, lie := range world.Lies() {
		if !strings.Contains(text, "`"+string(lie)+"`") {
			t.Errorf("the lie %s is missing", lie)
		}
	}
}

// TestReadmeOfCasesHasACaseThatHolds reads the example under the name that the text gives it.
func TestReadmeOfCasesHasACaseThatHolds(t *testing.T) {
	text := readmeOfCases(t)
	found := yamlText.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("there are %d examples, want one", len(found))
	}
	const name = "joins/a_late_member_does_not_read_the_time_before.yaml"
	if !strings.Contains(text, "`"+name+"`") {
		t.Errorf("the text does not call the example %s", name)
	}
	c, err := policytest.Parse(name, []byte(found[0][1]))
	if err != nil {
		t.Fatal(err)
	}
	diff, err := policytest.NewPolicy(policy.EmbeddedFS()).Check(t.Context(), c)
	if err != nil || !diff.Holds() {
		t.Errorf("the example does not hold: %v\n%s", err, diff.Text)
	}
}

func readmeOfCases(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(casesDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
