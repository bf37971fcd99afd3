package server

import (
	"context"

	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// Receipts signs what was decided and records what it signed: a *receipt.Issuer. Where it fails, what
// was decided is not answered.
type Receipts interface {
	// Decision returns the receipts of a decision. Its errors are those of receipt.Issuer.
	Decision(ctx context.Context, d *policy.Decision) (receipt.Set, error)

	// Handoff returns the receipts of a hand-off, on the same terms.
	Handoff(ctx context.Context, d *policy.HandoffDecision) (receipt.Set, error)
}
