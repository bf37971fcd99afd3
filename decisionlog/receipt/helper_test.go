package receipt_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// issuedAt is half a second after the decisions of the fixtures.
var (
	decidedAt = time.Date(2026, 11, 30, 20, 0, 1, 123456000, time.UTC)
	issuedAt  = decidedAt.Add(500 * time.Millisecond)
)

const (
	revision = "sha256:5b0c3e1f9a7d2468ace013579bdf02468ace13579bdf02468ace13579bdf0246"
	origin   = "earshot.example/ledger/0123456789abcdef0123456789abcdef"
)

// signer is a fixed key. Its private half is worth nothing: the seed is a row of one byte.
type signer struct{ private ed25519.PrivateKey }

func newSigner(seed byte) signer {
	return signer{ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize)))}
}

func (s signer) public() ed25519.PublicKey { return s.private.Public().(ed25519.PublicKey) }

func (s signer) KeyID() string {
	id, err := keyring.KeyID(s.public())
	if err != nil {
		panic(err)
	}
	return id
}

func (s signer) Sign(message []byte) ([]byte, error) { return ed25519.Sign(s.private, message), nil }

func (s signer) key() keyring.Key {
	return keyring.Key{
		ID: s.KeyID(), Purpose: keyring.PurposeReceipt, Public: s.public(),
		NotBefore: issuedAt.Truncate(time.Second).Add(-time.Hour),
	}
}

// testKey signs the receipts of the fixtures.
func testKey() signer { return newSigner('k') }

func keys() []keyring.Key { return []keyring.Key{newSigner('o').key(), testKey().key()} }

// issuer returns an Issuer whose ids, clock and salts are always the same.
func issuer(t testing.TB, change func(*receipt.Config)) *receipt.Issuer {
	t.Helper()
	ids := 0
	c := receipt.Config{
		Signer: testKey(),
		Ledger: &ledger{},
		Origin: origin,
		Clock:  func() time.Time { return issuedAt },
		NewID: func() (string, error) {
			ids++
			return fmt.Sprintf("01931c5e-7d2a-7c1f-8a00-%012d", ids), nil
		},
		Random: rand.NewChaCha8([32]byte{1}),
	}
	if change != nil {
		change(&c)
	}
	i, err := receipt.NewIssuer(c)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// decision is one decision with an element of every sort.
func decision() *policy.Decision {
	list := policy.Principals
	candidates := []policy.Candidate{
		{ID: "m1", Audience: list("user:ann", "user:ben"), Agent: "agent:scribe", Kind: "fact",
			Channel: "slack:C042", Digest: "sha256:" + strings.Repeat("1a", 32), RecordedAt: decidedAt.Add(-time.Hour)},
		{ID: "m2", Audience: list("user:ann"), Agent: "agent:scribe", Kind: "message", Confidential: policy.Confidential},
		{ID: "m3", Audience: policy.Everybody(), Agent: "agent:researcher", Kind: "document", Shared: true,
			Confidential: policy.NotConfidential, Seal: "sealed"},
		{ID: "s1", Audience: list("user:ann", "user:ben"), Agent: "agent:scribe", Kind: "summary", Sources: []policy.Source{
			{ID: "m1", Audience: list("user:ann", "user:ben"), Agent: "agent:scribe"},
			{ID: "m2", Audience: list("user:ann"), Agent: "user:cat"},
		}},
		{ID: "m4", Audience: list("user:ann", "user:ben"), Kind: "fact"},
		{ID: "m5", Audience: list("user:ann", "user:ben"), Agent: "user:cat", Kind: "fact", Confidential: policy.Confidential},
		{ID: "m6", Audience: list("user:ann", "user:ben"), Agent: "agent:scribe", Kind: "made up by user:cat"},
	}
	results := []policy.Result{
		{ID: "m1", Admit: true, Reasons: []string{"audience_covers_viewers"}},
		{ID: "m2", Reasons: []string{"viewer_not_in_audience"}},
		{ID: "m3", Admit: true, Reasons: []string{"public"}, Obligations: []string{"label_source"}},
		{ID: "s1", Reasons: []string{"source_audience_narrower"}},
		{ID: "m4", Reasons: []string{"unattributed"}},
		{ID: "m5", Reasons: []string{"agent_not_authorized", "confidential_from_other_agent"}},
		{ID: "m6", Reasons: []string{"malformed"}},
	}
	viewers := []string{"user:ann", "user:ben"}
	return &policy.Decision{
		Log: policy.Position{Index: 41, Leaf: [32]byte{1, 2, 3}},
		Entry: policy.Entry{
			ID: "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", At: decidedAt, PolicyRevision: revision,
			Request: policy.Request{
				Turn:        policy.Turn{Agent: "agent:scribe", Tenant: "acme", Channel: "slack:C042", Viewers: viewers, Attempt: 1},
				Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:researcher", "user:cat"}},
				Candidates:  candidates,
			},
			Facts:     policy.Facts{Seals: map[int]policy.SealCheck{2: {Status: policy.SealValid}}},
			Viewers:   policy.Viewers{Known: true, Present: viewers, Digest: policy.ViewersDigest(viewers)},
			Verdict:   policy.BleedDetected,
			Directive: "HALT: 1 confidential elements inherited from other agents.",
			Results:   results,
		},
	}
}

// handoff is one hand-off that halts.
func handoff() *policy.HandoffDecision {
	return &policy.HandoffDecision{
		Log: policy.Position{Index: 7, Leaf: [32]byte{9}},
		HandoffEntry: policy.HandoffEntry{
			ID: "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f3", At: decidedAt, PolicyRevision: revision,
			Request: policy.Handoff{
				Agent: "agent:billing", Tenant: "acme", Profile: policy.ProfileStrict,
				Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:intake"}},
				Boundary: policy.Boundary{Stated: true, SharedSubstrate: policy.SubstrateShared,
					PrivateTo: map[string][]string{"agent:intake": {"e2"}, "user:ann": {"e2"}}},
				Elements: []policy.Element{
					{ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: "fact",
						Digest: "sha256:" + strings.Repeat("2b", 32)},
					{ID: "e2", Source: "agent:intake", Shared: true, Kind: "fact"},
					{ID: "e3", Kind: "fact"},
					{ID: "e4", Source: "agent:intake", InheritedVia: []string{"agent:triage", "user:ann"}, Shared: true, Kind: "summary",
						Sources: []policy.ElementSource{
							{ID: "e5", Source: "agent:intake", Confidential: policy.Confidential, InheritedVia: []string{"agent:triage"}},
							{ID: "e6", Source: "agent:archive", Digest: "sha256:" + strings.Repeat("2b", 32)},
						}},
				},
			},
			Seals:   map[int]policy.SealCheck{0: {Status: policy.SealValid}},
			Verdict: policy.BleedDetected, Directive: "HALT: 1 confidential elements inherited from other agents.",
			ManifestDigest: strings.Repeat("3c", 32),
			Results: []policy.Result{
				{ID: "e1", Reasons: []string{"handoff_halted"}},
				{ID: "e2", Reasons: []string{"private_to_other_agent"}},
				{ID: "e3", Reasons: []string{"handoff_halted"}},
				{ID: "e4", Reasons: []string{"chain_too_long", "confidential_from_other_agent"}},
			},
		},
	}
}

// issue returns the receipts of the decision of the fixture.
func issue(t testing.TB) receipt.Set {
	t.Helper()
	set, err := issuer(t, nil).Decision(context.Background(), decision())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// verifyAll verifies the receipts of a set, in the order of receipt.Statements.
func verifyAll(t testing.TB, set receipt.Set) []*receipt.Verified {
	t.Helper()
	var all []*receipt.Verified
	for _, name := range receipt.Statements() {
		v, err := receipt.Verify(set.Envelopes[name], keys())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if v.Statement.Predicate.Name() != name {
			t.Fatalf("%s is a %s", name, v.Statement.Predicate.Name())
		}
		all = append(all, v)
	}
	return all
}

// payloadOf returns what an envelope holds.
func payloadOf(t fataler, envelope []byte) []byte {
	var e struct{ Payload []byte }
	if err := json.Unmarshal(envelope, &e); err != nil {
		t.Fatal(err)
	}
	return e.Payload
}

// fataler is what ends a test, or one input of a law.
type fataler interface{ Fatal(...any) }

// sign returns an envelope of any payload, which the package would not make. The pre-authentication
// encoding is spelled out (DSSE protocol, "Signature Definition").
func sign(s signer, payloadType string, payload []byte) []byte {
	pae := fmt.Sprintf("DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
	signature, _ := s.Sign([]byte(pae))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `{"payload":"%s","payloadType":"%s","signatures":[{"keyid":"%s","sig":"%s"}]}`,
		b64(payload), payloadType, s.KeyID(), b64(signature))
}
