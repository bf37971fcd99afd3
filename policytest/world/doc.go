// Package world is the ledger of a small world: people, agents, channels, who joined and left,
// what was said where, what was derived from it, erased and edited, and who is here now.
//
// A Story says what happened, in the words of the domain; Tell holds it against common sense and
// gives a World. A World answers two questions that must not know of each other. Body is what a
// memory system sends to the decision point: labels that were written down when something was
// said, by a system that is honest or by one that lies. Expect is what the rule says, read off the
// ledger: who was in the channel at that moment, by its joins and leaves alone. What a decision
// point answers to the one is compared with the other.
//
// What it promises: the same story gives the same bytes and the same expectation. A story that
// cannot have happened is an error with a sentence and the place in the story: somebody leaves who
// never joined, speaks in a channel that they are not in, derives from what was not yet said or from what
// they did not hear.
//
// What it never does: import any other package of this module, read a clock, or look at the labels
// to find out what is allowed.
package world
