// Package wire is the JSON contract of the decision point, in both directions: a request body
// becomes a policy.Request or a policy.Handoff, a decision becomes an answer, a logged decision becomes
// a record.
//
// It holds no HTTP, so that the server, the command line and the test cases read and write the
// same bytes.
//
// What it promises: a body is read strictly. A repeated member name, trailing data, invalid UTF-8,
// an unknown field or a wrong type is never passed over. What is wrong with the turn refuses the
// request; what is wrong with one candidate becomes a fault of that candidate, which denies it and
// leaves its neighbours alone. What is wrong with an element of a hand-off refuses the hand-off. Lists in answers are never null.
//
// What it never does: judge names. Whether a string can be a principal, an id or a digest is for
// package policy to say, which checks every request wherever it comes from.
package wire
