package wire

import (
	"encoding/json"

	"earshot/decisionlog/receipt"
)

// Receipts are the signed statements that come with an answer.
type Receipts struct {
	// Receipts has one DSSE envelope a statement, by its name.
	Receipts map[string]json.RawMessage `json:"receipts,omitzero"`

	// Disclosures open the commitments in the envelopes, in the form of RFC 9901.
	Disclosures []string `json:"disclosures,omitzero"`

	// Manifest is the context whose digest the statements are about; absent for a hand-off, whose
	// manifest_digest stands in the answer.
	Manifest json.RawMessage `json:"manifest,omitzero"`
}

// EncodeReceipts returns the receipts for s.
func EncodeReceipts(s receipt.Set) Receipts {
	return Receipts{Receipts: s.Envelopes, Disclosures: s.Disclosures, Manifest: s.Manifest}
}
