// Package reading is the rule of the wire contract read plainly: every row of its tables is one
// small Go function that is named after its code, in the words of the table. Whoever doubts a
// decision can check it here by eye, and the tests hold the decision point against it.
//
// What it promises: an answer for every request whose turn is well formed, from the request, the
// settings, the recorded facts and the instant alone. It is naive on purpose: loops and maps, no
// normal form, nothing remembered.
//
// What it never does: share code with what it judges. From package policy it takes types and
// constants and calls nothing, which a test checks. Outside it are the rules that authors add and how
// many sources a candidate may have. What came of verifying a seal is one of the facts; whose labels
// it left out, it reads with those that the seal filled in.
package reading
