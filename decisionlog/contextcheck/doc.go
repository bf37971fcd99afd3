// Package contextcheck holds the exact segments of a context, just before they reach a model, against
// what their turn was admitted.
//
// What it promises: a check is in the ledger before it is answered, and a check with a finding is signed
// besides. Whatever fails on the way, no check comes out clean. What a segment is covered by is for
// policy.CheckContext to say.
//
// What it never does: keep or log the text of a segment. It keeps the fingerprints of a text that a
// caller says is an item's, where the decision has the item with that very content.
package contextcheck
