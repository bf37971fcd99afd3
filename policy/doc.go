// Package policy is the decision point: given one turn of one conversation and the memory items
// that retrieval found for it, it decides which of them may enter the agent's prompt.
//
// It holds the vocabulary (Turn, Candidate, Audience, Decision), the Rego bundle that states the
// rule, and the engine that evaluates it with an embedded OPA. The rule in one line: an item is
// admitted only if everyone who is listening now was within earshot when it was recorded.
//
// What it promises: an Admitted exists only after the decision that made it was recorded by the
// Recorder. Behind every admission the engine computes the subset test a second time, in Go, and
// no policy can switch that off. A doubt or a failure of any part admits nothing.
//
// Between agents it decides hand-offs: whether one agent may inherit the elements of another's context,
// all of them or none. They have gates of their own in the bundle, and a test of the engine's own too.
//
// An item may carry a seal, a signature of its labels by this service. Then the sealed labels count: one
// that a caller states otherwise denies the item, and one that it leaves out is filled in.
//
// What it never does: read or hold the text of an item, open a socket or a database, or read the
// clock itself.
package policy
