package decisionlog

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Receipt is one signed statement about a decision, as it goes to the log.
type Receipt struct {
	// ID is a UUID version 7 (RFC 9562).
	ID string

	// At is in UTC, in whole microseconds.
	At time.Time

	PolicyRevision, DecisionID string

	// Statement is the name of the statement.
	Statement string

	// Envelope is the DSSE envelope byte for byte. The predicate of the statement in it must have the
	// ID as receipt_id and the DecisionID as decision_id, and be of the type of Statement.
	Envelope []byte
}

// StoredReceipt is a receipt as the ledger has it.
type StoredReceipt struct {
	Receipt
	Log policy.Position
}

// RecordReceipts appends receipts to the ledger in one commit, and returns their positions in order
// once they are durable. A receipt's payload is its envelope: the payload digest of its leaf is the
// SHA-256 of the envelope's bytes.
//
// Errors: those of Record, for all of them together; ErrUnencodable where an envelope does not say what
// the receipt does.
func (l *Log) RecordReceipts(ctx context.Context, receipts []Receipt) ([]policy.Position, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(receipts) == 0 {
		return nil, nil
	}
	drafts := make([]*draft, len(receipts))
	for i := range receipts {
		r := &receipts[i]
		head, err := newLeaf(leafReceipt, r.ID, r.At, r.PolicyRevision)
		if err != nil {
			return nil, err
		}
		said, err := parseEnvelope(r.Envelope)
		if err != nil {
			return nil, fmt.Errorf("%w: receipt %d: %w", ErrUnencodable, i, err)
		}
		if said != (statement{r.ID, r.DecisionID, r.Statement}) {
			return nil, fmt.Errorf("%w: the envelope of receipt %d is about another receipt, decision or statement", ErrUnencodable, i)
		}
		drafts[i] = &draft{leaf: head, raw: slices.Clone(r.Envelope)}
	}
	return l.recordAll(ctx, drafts)
}

// Receipts returns the receipts of a decision that are kept, in the order of the ledger; none where
// there are none.
//
// Errors: ErrDamaged, ErrClosed, ErrUnavailable or the context's error.
func (l *Log) Receipts(ctx context.Context, decisionID string) ([]StoredReceipt, error) {
	var found []StoredReceipt
	err := l.snapshot(ctx, func(from *view) error {
		list := postingList{byReceiptOf, idKey(decisionID)}
		for at := int64(math.MaxInt64); ; {
			seq, err := list.seek(ctx, from, at)
			if err != nil || seq == none {
				return err
			}
			at = seq - 1
			stored, err := readRow(ctx, from.tx, seq)
			if err != nil {
				return err
			}
			r, err := readReceipt(&stored)
			if err != nil {
				return stored.blame(err)
			}
			if r != nil && r.DecisionID == decisionID {
				found = append(found, *r)
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("get the receipts of a decision: %w", err)
	}
	slices.Reverse(found)
	return found, nil
}

// readReceipt returns the receipt in a row, or nil where retention has emptied it.
func readReceipt(stored *row) (*StoredReceipt, error) {
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return nil, err
	}
	if l.Type != leafReceipt {
		return nil, damaged("the index has an entry of the type %q among the receipts", l.Type)
	}
	if stored.payload == nil {
		return nil, nil
	}
	said, err := openReceipt(&l, stored.payload)
	if err != nil {
		return nil, err
	}
	return &StoredReceipt{
		Receipt: Receipt{
			ID: l.ID, At: l.At, PolicyRevision: l.Revision,
			DecisionID: said.decision, Statement: said.name, Envelope: stored.payload,
		},
		Log: policy.Position{Index: uint64(stored.seq), Leaf: tlog.RecordHash(stored.leaf)},
	}, nil
}

// statement is what the ledger reads of a receipt: enough to find it. It checks no signature.
type statement struct{ receipt, decision, name string }

// predicatePrefix and predicateSuffix stand around the name of a statement in its predicate type.
const (
	predicatePrefix = "https://earshot.example/"
	predicateSuffix = "/v1"
)

// parseEnvelope reads a DSSE envelope around an in-toto statement.
func parseEnvelope(b []byte) (statement, error) {
	var envelope struct {
		Payload string `json:"payload"`
	}
	if err := json.Unmarshal(b, &envelope); err != nil {
		return statement{}, fmt.Errorf("the envelope does not parse: %w", err)
	}
	payload, err := base64.StdEncoding.Strict().DecodeString(envelope.Payload)
	if err != nil {
		return statement{}, fmt.Errorf("the envelope's payload does not parse: %w", err)
	}
	var body struct {
		PredicateType string `json:"predicateType"`
		Predicate     struct {
			ReceiptID  string `json:"receipt_id"`
			DecisionID string `json:"decision_id"`
		} `json:"predicate"`
	}
	if err := json.Unmarshal(payload, &body); err != nil {
		return statement{}, fmt.Errorf("the statement does not parse: %w", err)
	}
	name, ok := strings.CutPrefix(body.PredicateType, predicatePrefix)
	name, versioned := strings.CutSuffix(name, predicateSuffix)
	if !ok || !versioned || name == "" {
		return statement{}, fmt.Errorf("the statement is of an unknown type")
	}
	return statement{body.Predicate.ReceiptID, body.Predicate.DecisionID, name}, nil
}

// openReceipt reads the payload of a receipt that a leaf commits to.
func openReceipt(l *leaf, stored []byte) (statement, error) {
	if digestOf(stored) != l.Payload {
		return statement{}, damaged("the payload does not match its leaf")
	}
	said, err := parseEnvelope(stored)
	if err != nil {
		return statement{}, damaged("%v", err)
	}
	if said.receipt != l.ID {
		return statement{}, damaged("the envelope is that of another receipt")
	}
	return said, nil
}

// receiptKind is how entries of the type "receipt" are read.
type receiptKind struct{}

func (receiptKind) check(_ *values, l *leaf, stored []byte) error {
	_, err := openReceipt(l, stored)
	return err
}

func (receiptKind) postings(_ *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	said, err := openReceipt(l, stored)
	if err != nil {
		return nil, err
	}
	return []posting{{byReceiptOf, idKey(said.decision), seq}}, nil
}
