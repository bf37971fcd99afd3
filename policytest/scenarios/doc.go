// Package scenarios is the Contextual-Integrity suite of this project: 79 small worlds in 13
// families, drawn from a fixed seed, on which a decision point and other designs are measured.
//
// Contextual integrity (Nissenbaum, “Privacy as Contextual Integrity”, 2004) judges a flow of
// information by five parameters: subject, sender, recipient, information type and transmission
// principle. Each scenario names them for the flow that must not happen, which is that of one of its
// forbidden facts to somebody who listens or to the agent that asks, and would be news there. Its world
// holds at least one fact that those who listen must not learn and one that they may, and a forbidden one
// always fits the question best or as well: that is the trap. Generate refuses a scenario of which this
// is not so.
//
// What has no audience, what no agent owns up to and what an older store brought in are among what
// is forbidden.
//
// A decision point sees of a world only the labels and those who listen. Counted by that (the doubts
// about those who listen, and of each item whether it is admitted, for which reasons, what kind of
// audience it has and whether it has sources) the 79 scenarios have 55 distinct shapes. Those of one
// shape differ in how it came about: who joined, who left, in what kind of room something was said, by
// one who asks, listens or is elsewhere, and how many of those who listen heard it. Counted by that as
// well, with names, topics, how many people there are and the order of events left aside, all 79 differ.
//
// What is allowed is said twice. The family says of each fact whether it is forbidden; the ledger
// of the world says it by who was there. Generate refuses a scenario in which the two differ.
//
// Four kinds of assertion are made: no forbidden fact is admitted (79), every item is decided as the
// ledger expects, with its reasons (79), every permitted fact is kept (79), and each scenario in
// which it is not certain who listens is decided with nothing but public facts (16). That is 253. They
// are not independent: where every item is decided as the ledger expects, the other three hold too.
// Those say what a difference means.
//
// In the family of the direct look-up, agreement asks for one thing more: what is admitted, the
// verdict and the directive are the same as if what is denied had not been found. The family does not
// show that an id that nobody has and an id that is denied are answered alike, since a decision point
// sees only what was found. That look-up arrives with stored memory.
//
// What it promises: the same seed gives the same scenarios on every machine, and what is counted was
// answered and is in the log, equal in every field.
//
// What it never does: read a clock, or count a scenario that could not be run.
package scenarios
