package receipt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// answerOf puts receipts into an answer as the service gives it, with what else it says.
func answerOf(t *testing.T, set receipt.Set, beside map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(map[string]any{"receipts": set.Envelopes, "disclosures": set.Disclosures})
	if err != nil {
		t.Fatal(err)
	}
	var a map[string]any
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if set.Manifest != nil {
		a["manifest"] = set.Manifest
	}
	for name, value := range beside {
		a[name] = value
	}
	return a
}

// answeredResults are the results of a decision as an answer has them.
func answeredResults(results []policy.Result) []any {
	all := make([]any, len(results))
	for i, r := range results {
		reasons := make([]any, len(r.Reasons))
		for j, reason := range r.Reasons {
			reasons[j] = reason
		}
		all[i] = map[string]any{"admit": r.Admit, "reasons": reasons}
	}
	return all
}

func decisionAnswer(t *testing.T) map[string]any {
	return answerOf(t, issue(t), map[string]any{
		"decision_id": decision().ID, "policy_revision": revision, "verdict": "BLEED_DETECTED", "results": answeredResults(decision().Results),
		"log": map[string]any{"index": 41, "leaf": "sha256:010203" + strings.Repeat("00", 29)},
	})
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAnswersVerify(t *testing.T) {
	sets := bothSets(t)
	for name, a := range map[string]map[string]any{
		"decision": decisionAnswer(t),
		"handoff": answerOf(t, sets["handoff"], map[string]any{
			"decision_id": handoff().ID, "manifest_digest": handoff().ManifestDigest, "verdict": "BLEED_DETECTED",
		}),
	} {
		text := marshal(t, a)
		got, err := receipt.VerifyAnswer(text, keys())
		if err != nil || len(got.Receipts) != 4 || len(got.Disclosures) != len(sets[name].Disclosures) || !receipt.IsAnswer(text) {
			t.Errorf("%s: got %+v and error %v", name, got, err)
		}
	}
}

// TestAnswerPlaces changes one thing of an answer each.
func TestAnswerPlaces(t *testing.T) {
	other := func(t *testing.T) receipt.Set {
		d := decision()
		d.ID = "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1ff"
		set, err := issuer(t, nil).Decision(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	type object = map[string]any
	excluded := slices.IndexFunc(decision().Results, func(r policy.Result) bool { return !r.Admit })
	second := excluded + 1 + slices.IndexFunc(decision().Results[excluded+1:], func(r policy.Result) bool { return !r.Admit })
	tests := map[string]struct {
		change func(a, receipts object)
		place  string
	}{
		"another decision id":  {func(a, _ object) { a["decision_id"] = "x" }, "/decision_id"},
		"another revision":     {func(a, _ object) { a["policy_revision"] = "x" }, "/policy_revision"},
		"another verdict":      {func(a, _ object) { a["verdict"] = "ISOLATED_CONTEXT" }, "/verdict"},
		"another directive":    {func(a, _ object) { a["directive"] = "PROCEED: it is well." }, "/directive"},
		"no results":           {func(a, _ object) { a["results"] = []any{} }, "/results"},
		"one admitted besides": {func(a, _ object) { a["results"].([]any)[excluded].(object)["admit"] = true }, fmt.Sprintf("/results/%d", second)},
		"another reason": {func(a, _ object) { a["results"].([]any)[excluded].(object)["reasons"] = []any{"public"} },
			fmt.Sprintf("/results/%d", excluded)},
		"one id too many":      {func(a, _ object) { a["admitted"] = []any{"m1", "m2", "m9"} }, "/admitted"},
		"another viewer state": {func(a, _ object) { a["viewers"] = object{"status": "ambiguous", "reasons": []any{}} }, "/viewers"},
		"another place":        {func(a, _ object) { a["log"].(object)["index"] = 42 }, "/log"},
		"another digest":       {func(a, _ object) { a["manifest_digest"] = strings.Repeat("0", 64) }, "/manifest_digest"},
		"another manifest":     {func(a, _ object) { a["manifest"] = object{} }, "/manifest"},
		"no receipts":          {func(a, _ object) { a["receipts"] = object{} }, "/receipts"},
		"one too few":          {func(_, r object) { delete(r, receipt.BleedDetection) }, "/receipts/bleed_detection_signature"},
		"none but one":         {func(a, r object) { a["receipts"] = object{receipt.BleedDetection: r[receipt.BleedDetection]} }, "/receipts/context_isolation_boundary_receipt"},
		"one of another name":  {func(_, r object) { r["a/b"] = r[receipt.Provenance] }, "/receipts/a~1b"},
		"two exchanged": {func(_, r object) {
			r[receipt.Provenance], r[receipt.BleedDetection] = r[receipt.BleedDetection], r[receipt.Provenance]
		}, "/receipts/bleed_detection_signature"},
		"one of another decision": {func(_, r object) { r[receipt.InheritancePolicy] = other(t).Envelopes[receipt.InheritancePolicy] },
			"/receipts/cross_agent_inheritance_policy_receipt"},
		"one damaged": {func(_, r object) { r[receipt.Provenance].(object)["payload"] = "AAAA" },
			"/receipts/context_provenance_attribution_signature/payload: "},
		"another disclosure": {func(a, _ object) { a["disclosures"].([]any)[3] = "x" }, "/disclosures/3"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := decisionAnswer(t)
			tt.change(a, a["receipts"].(object))
			_, err := receipt.VerifyAnswer(marshal(t, a), keys())
			place, ok := errors.AsType[*receipt.PlaceError](err)
			if !ok || place.Place != tt.place {
				t.Errorf("got error %v, want one at %s", err, tt.place)
			}
		})
	}
}

// TestKeyFiles keeps the public key of the golden receipts in the forms in which a reader gets it.
func TestKeyFiles(t *testing.T) {
	jwks, err := keyring.MarshalJWKS([]keyring.Key{{
		ID: testKey().KeyID(), Purpose: keyring.PurposeReceipt, Public: testKey().public(),
		NotBefore: issuedAt.Truncate(time.Second).Add(-time.Hour),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"key.pem": keyring.MarshalPublicPEM(testKey().key()), "jwks.json": append(jwks, '\n')} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", file, err, got, want)
		}
	}
}
