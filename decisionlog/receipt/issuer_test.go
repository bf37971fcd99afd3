package receipt_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog/receipt"
	"earshot/policy"
)

var update = flag.Bool("update", false, "write the receipts that are made into testdata")

// TestGolden pins the form of the receipts of a decision and of a hand-off: what is signed, byte for
// byte, and beside it the same in a form that can be read.
func TestGolden(t *testing.T) {
	sets := map[string]receipt.Set{"decision": issue(t)}
	var err error
	if sets["handoff"], err = issuer(t, nil).Handoff(t.Context(), handoff()); err != nil {
		t.Fatal(err)
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			verifyAll(t, set)
			file := filepath.Join("testdata", name+".golden.json")
			got := readable(t, set)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("the form of the receipts changed (-want +got); -update takes it over\n%s", diff)
			}
		})
	}
}

func readable(t *testing.T, set receipt.Set) []byte {
	t.Helper()
	statements := map[string]json.RawMessage{}
	for name, envelope := range set.Envelopes {
		statements[name] = payloadOf(t, envelope)
	}
	text, err := json.MarshalIndent(map[string]any{
		"statements": statements, "receipts": set.Envelopes, "disclosures": set.Disclosures, "manifest": set.Manifest,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// TestReceiptsHoldNoText takes everything that a caller chose, beside names of agents and codes, and
// looks for it in what is signed.
func TestReceiptsHoldNoText(t *testing.T) {
	for name, set := range bothSets(t) {
		for statement, envelope := range set.Envelopes {
			payload := string(payloadOf(t, envelope))
			for _, text := range []string{"user:", "ann", "acme", "slack", `"m1"`, `"m2"`, `"s1"`, `"e1"`, `"e2"`,
				"made up", "1a1a", "2b2b", policy.ViewersDigest([]string{"user:ann", "user:ben"})} {
				if strings.Contains(payload, text) {
					t.Errorf("%s of the %s has %q in plain:\n%s", statement, name, text, payload)
				}
			}
		}
		if !strings.Contains(string(bytes.Join(opened(t, set), nil)), "user:") {
			t.Errorf("the disclosures of the %s do not hold what the receipts do not", name)
		}
	}
}

func bothSets(t *testing.T) map[string]receipt.Set {
	t.Helper()
	h, err := issuer(t, nil).Handoff(t.Context(), handoff())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]receipt.Set{"decision": issue(t), "handoff": h}
}

func opened(t *testing.T, set receipt.Set) [][]byte {
	t.Helper()
	disclosures, err := receipt.OpenDisclosures(verifyAll(t, set), set.Disclosures)
	if err != nil {
		t.Fatal(err)
	}
	var values [][]byte
	for _, d := range disclosures {
		values = append(values, d.Value)
	}
	return values
}

// TestOneElementOneCommitment follows each element through the statements.
func TestOneElementOneCommitment(t *testing.T) {
	all := verifyAll(t, issue(t))
	isolation := all[0].Statement.Predicate.(*receipt.Isolation)
	attributions := all[1].Statement.Predicate.(*receipt.Attributions).Attributions
	bleed := all[3].Statement.Predicate.(*receipt.Bleed)
	var want []receipt.Commitment
	for _, a := range attributions {
		want = append(want, a.Element)
	}
	denied := []receipt.Commitment{want[1], want[3], want[4], want[5], want[6]}
	var excluded, found []receipt.Commitment
	for _, e := range isolation.Excluded {
		excluded = append(excluded, e.Element)
	}
	for _, f := range bleed.Findings {
		found = append(found, f.Element)
	}
	for name, pair := range map[string][2][]receipt.Commitment{
		"admitted": {isolation.Admitted, {want[0], want[2]}},
		"excluded": {excluded, denied},
		"findings": {found, denied},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if all[0].Statement.Subject[0] != all[3].Statement.Subject[0] {
		t.Error("the boundary and the findings are about different contexts")
	}
}

func TestManifestIsTheSubject(t *testing.T) {
	set := issue(t)
	got, err := receipt.ManifestDigest(set.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	v := verifyAll(t, set)[0]
	if v.Statement.Subject[0].Digest.SHA256 != got {
		t.Errorf("the digest of the manifest is %s, and the subject %s", got, v.Statement.Subject[0].Digest.SHA256)
	}
}

// TestSaltsDiffer makes the same receipts twice: without fresh salts their commitments could be compared
// with guesses.
func TestSaltsDiffer(t *testing.T) {
	var commitments []receipt.Commitment
	for range 2 {
		set, err := issuer(t, func(c *receipt.Config) { c.Random = nil }).Decision(t.Context(), decision())
		if err != nil {
			t.Fatal(err)
		}
		commitments = append(commitments, verifyAll(t, set)[0].Head().Tenant)
	}
	if commitments[0] == commitments[1] {
		t.Error("two sets have the same commitment to the tenant")
	}
}

func TestEmptyContext(t *testing.T) {
	d := decision()
	d.Request.Candidates, d.Results = nil, nil
	d.Verdict, d.Directive = policy.IsolatedContext, "PROCEED: Agent agent:scribe has isolated context."
	set, err := issuer(t, nil).Decision(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verifyAll(t, set) {
		if b, ok := v.Statement.Predicate.(*receipt.Bleed); ok && (b.Findings == nil || len(b.Findings) > 0) {
			t.Errorf("findings %v, want an empty list", b.Findings)
		}
	}
}
