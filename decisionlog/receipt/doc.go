// Package receipt signs what was decided as four statements, and verifies such statements without the
// service that made them.
//
// A receipt is an in-toto Statement v1 in a DSSE envelope with one Ed25519 signature. The statements
// of one decision are about the same context:
//
//   - IsolationBoundary: which elements are private to which agent, which are shared, what was kept out
//     and why.
//   - Provenance: who introduced each element, through whose hands it came, and from which sources.
//   - InheritancePolicy: which rules of which revision governed.
//   - BleedDetection: the findings; an empty list is a statement too.
//
// What it promises: a set of receipts is whole, and returned only after the ledger holds each of them.
// Verify accepts only what a key that was given signed while it was in force, in exactly the form that
// this package writes; anything else is refused with the place. A receipt holds no text that a caller
// chose, beside names that begin with "agent:". The rest stands there as commitments, in the form of
// SD-JWT disclosures (RFC 9901, section 4.2), which whoever holds the disclosures can open.
//
// What it never does: decide, sign what was not recorded as a decision, or take anything in an envelope
// for true before its signature is verified.
package receipt
