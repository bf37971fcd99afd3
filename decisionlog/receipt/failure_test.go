package receipt_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// TestFailure breaks each part of the issuer in turn: there is no set, not even a part of one.
func TestFailure(t *testing.T) {
	broken := errors.New("broken")
	tests := map[string]struct {
		change   func(*receipt.Config)
		want     error
		recorded bool
	}{
		"ledger":         {func(c *receipt.Config) { c.Ledger = &ledger{err: broken} }, policy.ErrNotRecorded, true},
		"ledger forgets": {func(c *receipt.Config) { c.Ledger = &ledger{forget: 1} }, policy.ErrNotRecorded, true},
		"signer":         {func(c *receipt.Config) { c.Signer = brokenSigner{testKey(), broken} }, receipt.ErrIssue, false},
		"salts":          {func(c *receipt.Config) { c.Random = strings.NewReader("short") }, receipt.ErrIssue, false},
		"ids":            {func(c *receipt.Config) { c.NewID = func() (string, error) { return "", broken } }, receipt.ErrIssue, false},
		"bad ids":        {func(c *receipt.Config) { c.NewID = func() (string, error) { return "x", nil } }, receipt.ErrIssue, false},
		"clock":          {func(c *receipt.Config) { c.Clock = func() time.Time { return time.Time{} } }, receipt.ErrIssue, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			kept := &ledger{}
			i := issuer(t, func(c *receipt.Config) {
				c.Ledger = kept
				tt.change(c)
				if other, ok := c.Ledger.(*ledger); ok {
					kept = other
				}
			})
			for what, ask := range map[string]func() (receipt.Set, error){
				"decision": func() (receipt.Set, error) { return i.Decision(t.Context(), decision()) },
				"handoff":  func() (receipt.Set, error) { return i.Handoff(t.Context(), handoff()) },
			} {
				set, err := ask()
				if !errors.Is(err, tt.want) {
					t.Errorf("%s: got error %v, want %v", what, err, tt.want)
				}
				if set.Envelopes != nil || set.Disclosures != nil || set.Manifest != nil {
					t.Errorf("%s: a part of the set came back: %v", what, set)
				}
			}
			if (kept.asked > 0) != tt.recorded {
				t.Errorf("the ledger was asked %d times", kept.asked)
			}
		})
	}
}

// TestRefusesWhatDoesNotFit has decisions that no decision point makes.
func TestRefusesWhatDoesNotFit(t *testing.T) {
	for name, spoil := range map[string]func(*policy.Decision){
		"a result too few":  func(d *policy.Decision) { d.Results = d.Results[1:] },
		"no revision":       func(d *policy.Decision) { d.PolicyRevision = "" },
		"no agent":          func(d *policy.Decision) { d.Request.Turn.Agent = "" },
		"another verdict":   func(d *policy.Decision) { d.Verdict = "FINE" },
		"another directive": func(d *policy.Decision) { d.Directive = "GO ON" },
		"a deny of no cause": func(d *policy.Decision) {
			d.Results[1].Reasons = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := decision()
			spoil(d)
			kept := &ledger{}
			_, err := issuer(t, func(c *receipt.Config) { c.Ledger = kept }).Decision(t.Context(), d)
			if !errors.Is(err, receipt.ErrIssue) || kept.asked > 0 {
				t.Errorf("got error %v, and the ledger was asked %d times", err, kept.asked)
			}
		})
	}
}

// TestRecorded compares what the ledger was given with what the caller gets.
func TestRecorded(t *testing.T) {
	kept := &ledger{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // A caller who hangs up does not undo a record.
	set, err := issuer(t, func(c *receipt.Config) { c.Ledger = kept }).Decision(ctx, decision())
	if err != nil {
		t.Fatal(err)
	}
	if kept.asked != 1 || len(kept.receipts) != 4 {
		t.Fatalf("the ledger was asked %d times for %d receipts, want one commit of 4", kept.asked, len(kept.receipts))
	}
	for n, r := range kept.receipts {
		name := receipt.Statements()[n]
		v, err := receipt.Verify(r.Envelope, keys())
		if err != nil {
			t.Fatal(err)
		}
		if r.Statement != name || !bytes.Equal(r.Envelope, set.Envelopes[name]) || r.ID != v.Head().ReceiptID ||
			!r.At.Equal(issuedAt) || r.DecisionID != decision().ID || r.PolicyRevision != revision {
			t.Errorf("the ledger keeps %+v of the %s", r, name)
		}
	}
}

func TestNewIssuerNamesWhatIsMissing(t *testing.T) {
	whole := receipt.Config{
		Signer: testKey(), Ledger: &ledger{}, Origin: origin, Clock: time.Now, NewID: func() (string, error) { return "", nil },
	}
	for name, leave := range map[string]func(*receipt.Config){
		"Signer": func(c *receipt.Config) { c.Signer = nil },
		"Ledger": func(c *receipt.Config) { c.Ledger = nil },
		"Origin": func(c *receipt.Config) { c.Origin = "" },
		"Clock":  func(c *receipt.Config) { c.Clock = nil },
		"NewID":  func(c *receipt.Config) { c.NewID = nil },
	} {
		c := whole
		leave(&c)
		if _, err := receipt.NewIssuer(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := receipt.NewIssuer(whole); err != nil {
		t.Error(err)
	}
}
