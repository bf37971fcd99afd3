package receipt_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/uuid"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
	"earshot/policy"
)

var (
	_ receipt.Ledger = (*decisionlog.Log)(nil)
	_ receipt.Signer = (*keyring.Signer)(nil)
)

// TestOnARealLog puts keys, log and issuer together: what a caller gets is, byte for byte, what the log
// keeps, before the key is rotated and after.
func TestOnARealLog(t *testing.T) {
	dir := t.TempDir()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	newID := func() (string, error) { id, err := uuid.NewV7(); return id.String(), err }
	now := time.Now()
	var sets []receipt.Set
	for range 2 {
		ring, err := keyring.Open(dir, keyring.Given{}, now)
		if err != nil {
			t.Fatal(err)
		}
		i, err := receipt.NewIssuer(receipt.Config{
			Signer: ring.Signer(keyring.PurposeReceipt), Ledger: log, Origin: log.Origin(), NewID: newID,
			Clock: func() time.Time { return now },
		})
		if err != nil {
			t.Fatal(err)
		}
		set := recorded(t, log, i)
		sets = append(sets, set)
		for _, earlier := range sets {
			for name, envelope := range earlier.Envelopes {
				if _, err := receipt.Verify(envelope, ring.Keys(keyring.PurposeReceipt)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if _, err := receipt.Verify(envelope, ring.Keys(keyring.PurposeLog)); err == nil {
					t.Errorf("%s verifies by a key of the log", name)
				}
			}
		}
		now = now.Add(time.Minute)
		if _, err := keyring.Rotate(dir, keyring.PurposeReceipt, now); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := log.Verify(t.Context(), nil); err != nil || entries != 10 { // Twice a decision with four receipts.
		t.Errorf("the log has %d entries: %v", entries, err)
	}
}

// recorded records a decision and its receipts, and compares these with what the log has.
func recorded(t *testing.T, log *decisionlog.Log, i *receipt.Issuer) receipt.Set {
	t.Helper()
	d := decision()
	id, err := uuid.NewV7()
	if err != nil {
		t.Fatal(err)
	}
	d.ID = id.String()
	if d.Log, err = log.Record(t.Context(), &d.Entry); err != nil {
		t.Fatal(err)
	}
	set, err := i.Decision(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := log.Receipts(t.Context(), d.ID)
	if err != nil || len(kept) != 4 {
		t.Fatalf("the log has %d receipts: %v", len(kept), err)
	}
	for n, r := range kept {
		name := receipt.Statements()[n]
		if r.Statement != name || !bytes.Equal(r.Envelope, set.Envelopes[name]) || r.Log.Index != d.Log.Index+1+uint64(n) ||
			r.PolicyRevision != revision || r.Log == (policy.Position{}) {
			t.Errorf("the log has %s at %d", r.Statement, r.Log.Index)
		}
	}
	return set
}

// TestEnvelopeDigestIsOfItsBytes is what lets a reader find a receipt in the log.
func TestEnvelopeDigestIsOfItsBytes(t *testing.T) {
	set := issue(t)
	for n, v := range verifyAll(t, set) {
		sum := sha256.Sum256(set.Envelopes[receipt.Statements()[n]])
		if want := "sha256:" + hex.EncodeToString(sum[:]); v.EnvelopeDigest != want {
			t.Errorf("the digest is %s, want %s", v.EnvelopeDigest, want)
		}
	}
}
