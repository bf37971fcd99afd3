package policytest_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/tester"

	"earshot/policy"
)

// handoffCodes are the codes by which the strict profile answers a hand-off, by what the gate does.
var handoffCodes = map[string][]string{
	"permit": {"authorized_sharing", "own_element", "single_origin"},
	"forbid": {
		"agent_not_authorized", "chain_too_long", "confidential_from_other_agent", "derived_without_sources",
		"digest_mismatch", "foreign_directive", "private_to_other_agent", "seal_invalid", "seal_required",
		"unattributed", "unshared_from_other_agent",
	},
	"halt":   {"boundary_undefined"},
	"oblige": {"label_source"},
}

func TestEveryHandoffCodeIsAGate(t *testing.T) {
	got := map[string][]string{}
	for _, r := range gates(t) {
		if !slices.Contains(got[r.name], r.code) {
			got[r.name] = append(got[r.name], r.code)
		}
	}
	for _, codes := range got {
		slices.Sort(codes)
	}
	if diff := gocmp.Diff(handoffCodes, got); diff != "" {
		t.Errorf("the gates of the bundle are not those of the contract (-contract +bundle):\n%s", diff)
	}
}

// TestEveryGateIsMissed switches off each gate in turn, and then each of its conditions, and asks for a
// Rego test that goes red.
func TestEveryGateIsMissed(t *testing.T) {
	shipped := policy.EmbeddedFS()
	if name := redTest(t, "", nil); name != "" {
		t.Fatalf("%s fails although nothing is off", name)
	}
	for _, r := range gates(t) {
		content, err := fs.ReadFile(shipped, r.file)
		if err != nil {
			t.Fatal(err)
		}
		mutants := map[string][]byte{"off": weaken(t, shipped, r, "false")}
		for _, condition := range conditions(t, r, string(content)) {
			mutants[fmt.Sprintf("row_%d", condition.Loc().Row)] = without(string(content), condition)
		}
		for name, mutant := range mutants {
			t.Run(r.name+"/"+r.code+"/"+name, func(t *testing.T) {
				if redTest(t, r.file, mutant) == "" {
					t.Errorf("%s: with %s changed every Rego test of a hand-off passes:\n%s", r.file, r.code, mutant)
				}
			})
		}
	}
}

// gates returns the rules of the bundle about hand-offs that give a code.
func gates(t *testing.T) []rule {
	t.Helper()
	return slices.DeleteFunc(readRules(t, policy.EmbeddedFS()), func(r rule) bool { return !r.ofHandoff() })
}

// redTest returns the name of a Rego test of hand-offs that fails where file has other content; empty
// where all pass.
func redTest(t *testing.T, file string, content []byte) string {
	t.Helper()
	part := fstest.MapFS{}
	err := fs.WalkDir(authorsBundle(), ".", func(name string, entry fs.DirEntry, err error) error {
		needed := strings.HasPrefix(name, "earshot/handoff/") || name == "earshot/fixture_test.rego" || name == "earshot/settings/data.json"
		if err != nil || entry.IsDir() || !needed {
			return err
		}
		text, err := fs.ReadFile(authorsBundle(), name)
		part[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if file != "" {
		part[file] = &fstest.MapFile{Data: content}
	}
	results, _ := runRego(t, part, nil)
	if len(results) == 0 {
		t.Fatal("no Rego test ran")
	}
	at := slices.IndexFunc(results, func(r *tester.Result) bool { return !r.Pass() })
	if at < 0 {
		return ""
	}
	return results[at].Package + "." + results[at].Name
}
