package receipt_test

import (
	"errors"
	"strings"
	"testing"

	"earshot/decisionlog"
	"earshot/decisionlog/receipt"
	"earshot/policy"
)

const verificationID = "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f4"

func checked(t *testing.T, segments []policy.Segment, findings ...policy.Finding) (receipt.Set, error) {
	t.Helper()
	return issuer(t, nil).Verification(t.Context(), &decisionlog.Verification{
		ID: verificationID, At: decidedAt, PolicyRevision: revision, DecisionID: decision().ID,
		Turn:     policy.Turn{Agent: "agent:scribe", Tenant: "acme", Viewers: []string{"user:ann"}},
		Segments: segments, Findings: findings,
	}, policy.Position{Index: 9})
}

func TestCheckedContext(t *testing.T) {
	digest := "sha256:" + strings.Repeat("1a", 32)
	set, err := checked(t, []policy.Segment{{ItemID: "m1", Digest: digest}, {ItemID: "m2"}, {Digest: digest}},
		policy.Finding{Segment: 1, Kind: policy.FindNotAdmitted, ItemID: "m7"},
		policy.Finding{Segment: 1, Kind: policy.FindAudienceMismatch, ItemID: "m7"},
		policy.Finding{Segment: 2, Kind: policy.FindUnattributed},
	)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := receipt.VerifyAnswer(marshal(t, answerOf(t, set, map[string]any{"ok": false})), keys())
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Receipts) != 1 || len(answer.Disclosures) != 4 { // The tenant, two segments and an item.
		t.Fatalf("got %d receipts and %d disclosures", len(answer.Receipts), len(answer.Disclosures))
	}
	bleed := answer.Receipts[0].Statement.Predicate.(*receipt.Bleed)
	f := bleed.Findings
	if bleed.VerificationID != verificationID || bleed.Directive != "HALT" || len(f) != 3 || f[0].Element != f[1].Element ||
		f[0].Element == f[2].Element || f[0].Item == "" || f[0].Item != f[1].Item || f[2].Item != "" || f[0].Severity != "high" || f[2].Severity != "medium" {
		t.Errorf("the statement is %+v", bleed)
	}
	payload := string(payloadOf(t, set.Envelopes[receipt.BleedDetection]))
	for _, text := range []string{"user:", "acme", `"m2"`, `"m7"`, "1a1a"} {
		if strings.Contains(payload, text) {
			t.Errorf("it has %q in plain: %s", text, payload)
		}
	}
	// Another segment is another context.
	spoiled := strings.Replace(string(set.Manifest), `"m1"`, `"m9"`, 1)
	set.Manifest = []byte(spoiled)
	if _, err := receipt.VerifyAnswer(marshal(t, answerOf(t, set, nil)), keys()); !errors.Is(err, receipt.ErrInvalid) {
		t.Errorf("another manifest: %v", err)
	}
}

func TestCleanContext(t *testing.T) {
	set, err := checked(t, []policy.Segment{{ItemID: "m1"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := receipt.Verify(set.Envelopes[receipt.BleedDetection], keys())
	if err != nil {
		t.Fatal(err)
	}
	if b := v.Statement.Predicate.(*receipt.Bleed); b.Directive != "PROCEED" || b.Findings == nil || len(b.Findings) > 0 {
		t.Errorf("the statement is %+v", b)
	}
}

func TestCheckedContextOfAnotherKind(t *testing.T) {
	for name, f := range map[string]policy.Finding{
		"another kind": {Kind: "fine"}, "no segment": {Segment: 1, Kind: policy.FindUnattributed}, "below": {Segment: -1, Kind: policy.FindUnattributed},
	} {
		if _, err := checked(t, []policy.Segment{{ItemID: "m1"}}, f); !errors.Is(err, receipt.ErrIssue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
