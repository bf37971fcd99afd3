// Package scenarios is the Contextual-Integrity suite of this project: 79 small worlds in 13
// families, drawn from a fixed seed, on which a decision point and other designs are measured.
//
// Contextual integrity (Nissenbaum, “Privacy as Contextual Integrity”, 2004) judges a flow of
// information by five parameters: subject, sender, recipient, information type and transmission
// principle. Each scenario names them for one flow that must not happen: that of a forbidden fact to
// somebody who listens, or to the agent that asks, to whom it would be news. Subject, sender and type are
// those of the fact and of the event in which it was given. The principle is one of a fixed list, and each
// has a test on the world: it was told to the agent alone, or before the recipient joined, and so on.
// Generate refuses labels that do not fit.
//
// A world holds at least one fact that those who listen must not learn and one that they may, and a
// forbidden one always answers the query as well as any that is permitted: that is the trap. How well is
// graded by the words that a text shares with the query, as a stand-in for embeddings. In 57 of the
// scenarios a forbidden fact is strictly ahead of all that is permitted, and in 22 one is level.
//
// What has no audience, what no agent owns up to and what an older store brought in are among what
// is forbidden.
//
// A decision point sees of a world only the labels and those who listen. Counted by that (the doubts
// about those who listen, and of each item whether it is admitted, for which reasons, what kind of
// audience it has and whether it has sources) the 79 scenarios have 55 distinct shapes. Those of one
// shape ask the same of a decision point. They differ in how it came about: who joined, who left, in what
// kind of room something was said, by one who asks, listens or is elsewhere, and how many of those who
// listen heard it. By that measure, which tells small things apart, no two are alike; it shows that
// none was drawn twice, and no more.
//
// What is allowed is said twice. The family says of each fact whether it is forbidden; the ledger
// of the world says it by who was there. Generate refuses a scenario in which the two differ.
//
// Four kinds of assertion are made: no forbidden fact is admitted (79), every item is decided as the
// ledger expects, with its reasons (79), every permitted fact is kept (79), and each scenario in
// which it is not certain who listens is decided with nothing but public facts (16). That is 253. Three
// of the four follow from one: where every item is decided as the ledger expects, the others hold too.
// They say what a difference means.
//
// The baselines are told who heard what, and nothing of agents, tenants and broken labels. Where all that
// one reads wrongly was heard by everybody who listens, it is forbidden for one of those alone: that is
// so in 3 of the leaks of relevance only and of the filter after the model, in 9 of those of the per-user
// silo and in 14 of those of the per-channel silo. The rest are leaks to somebody who did not hear it, or
// before listeners who are not certain.
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
