package decisionlog_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"earshot/decisionlog"
	"earshot/policy"
)

// TestEraseItem wants the digest and the fingerprints of an item to go with its name.
func TestEraseItem(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	e := numbered(0, 2)
	digest := "sha256:" + strings.Repeat("ab12", 16)
	e.Request.Candidates[0].ID, e.Results[0].ID, e.Request.Candidates[0].Digest = "diary/17", "diary/17", digest
	record(t, l, e)
	prints := l.Fingerprints(strings.Repeat("what nobody else is to know of it, word for word. ", 20))
	if err := l.KeepFingerprints(t.Context(), "acme", "diary/17", prints); err != nil {
		t.Fatal(err)
	}
	done := erase(t, l, erasureOf("diary/17", 1))
	if done.Fingerprints == 0 {
		t.Error("no fingerprint was deleted")
	}
	if left := foundIn(t, dir, "diary/17", digest); len(left) > 0 {
		t.Errorf("left in the files: %v", left)
	}
	if got, want := get(t, l, e.ID).Request.Candidates[0].ID, fmt.Sprintf("erased-%d", done.Handles[done.Asked]); got != want {
		t.Errorf("the item reads as %s, want %s", got, want)
	}
	verified(t, l, 2)
}

// TestEraseEmptiesReceipts wants the envelopes that say a name to be emptied, and no others.
func TestEraseEmptiesReceipts(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	receipts := make([]decisionlog.Receipt, 2)
	for i, agent := range []string{"agent:gone", "agent:gone-not"} {
		id := fmt.Sprintf("01931c5e-7d2a-7c1f-9a5b-%012d", i)
		statement, err := json.Marshal(map[string]any{
			"predicateType": "https://earshot.example/x/v1",
			"predicate":     map[string]string{"receipt_id": id, "decision_id": "d", "agent": agent},
		})
		if err != nil {
			t.Fatal(err)
		}
		envelope := fmt.Appendf(nil, `{"payload":%q}`, base64.StdEncoding.EncodeToString(statement))
		receipts[i] = decisionlog.Receipt{ID: id, At: start, DecisionID: "d", Statement: "x", Envelope: envelope}
	}
	if _, err := l.RecordReceipts(t.Context(), receipts); err != nil {
		t.Fatal(err)
	}
	if done := erase(t, l, erasureOf("agent:gone", 1)); done.Receipts != 1 || done.Asked != -1 {
		t.Errorf("%d receipts were emptied, asked %d", done.Receipts, done.Asked)
	}
	left, err := l.Receipts(t.Context(), "d")
	if err != nil || len(left) != 1 || left[0].ID != receipts[1].ID {
		t.Errorf("left are %v, %v", left, err)
	}
	verified(t, l, 3)
}

// TestEraseSaysNothingOfTheName wants the entry to leave out who asked where that is the name, and orders
// without sense to be refused.
func TestEraseSaysNothingOfTheName(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	record(t, l, personal(0, erasedPerson))
	order := erasureOf(erasedPerson, 1)
	order.RequestedBy = "self-service for " + erasedPerson
	if done := erase(t, l, order); done.RequestedBy != "" {
		t.Errorf("requested by %q", done.RequestedBy)
	}
	if left := foundIn(t, dir, erasedPerson); len(left) > 0 {
		t.Errorf("left in the files: %v", left)
	}
	for name, change := range map[string]func(*decisionlog.Erasure){
		"no name":   func(e *decisionlog.Erasure) { e.Name = "" },
		"no reason": func(e *decisionlog.Erasure) { e.Reason = "because of " + policy.KindFact },
		"no id":     func(e *decisionlog.Erasure) { e.ID, e.Name = "", "user:ben" },
	} {
		order := erasureOf("user:ben", 2)
		change(&order)
		if _, _, err := l.Erase(t.Context(), order); !errors.Is(err, decisionlog.ErrUnencodable) {
			t.Errorf("%s: got %v, want %v", name, err, decisionlog.ErrUnencodable)
		}
	}
}
