// Package scenarios is the Contextual-Integrity suite of this project: 79 small worlds in 13
// families, drawn from a fixed seed, on which a decision point and other designs are measured.
//
// Contextual integrity (Nissenbaum, “Privacy as Contextual Integrity”, 2004) judges a flow of
// information by five parameters: subject, sender, recipient, information type and transmission
// principle. Each scenario names them for the flow that must not happen. Its world holds at least
// one fact that those who listen must not learn and one that they may, and the forbidden one always
// fits the question best or as well: that is the trap.
//
// What is allowed is said twice. The family says of each fact whether it is forbidden; the ledger
// of the world says it by who was there. Generate refuses a scenario in which the two differ.
//
// Four kinds of assertion are made: no forbidden fact is admitted (79), every item is decided as the
// ledger expects, with its reasons (79), every permitted fact is kept (79), and each scenario in
// which it is not certain who listens is decided with nothing but public facts (16). That is 253.
//
// What it promises: the same seed gives the same scenarios on every machine, and what is counted was
// answered and is in the log, equal in every field.
//
// What it never does: read a clock, or count a scenario that could not be run.
package scenarios
