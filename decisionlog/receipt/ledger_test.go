package receipt_test

import (
	"context"

	"earshot/decisionlog"
	"earshot/policy"
)

// ledger keeps receipts in memory.
type ledger struct {
	receipts []decisionlog.Receipt
	asked    int
	err      error
	forget   int // how many positions are missing in its answers
}

func (l *ledger) RecordReceipts(ctx context.Context, receipts []decisionlog.Receipt) ([]policy.Position, error) {
	l.asked++
	if l.err == nil {
		l.err = ctx.Err()
	}
	if l.err != nil {
		return nil, l.err
	}
	l.receipts = append(l.receipts, receipts...)
	return make([]policy.Position, len(receipts)-l.forget), nil
}

// brokenSigner has a key and does not sign.
type brokenSigner struct {
	signer
	err error
}

func (s brokenSigner) Sign([]byte) ([]byte, error) { return nil, s.err }
