// Package residual takes what partial evaluation leaves of a policy, once the policy's data is known
// and its input is not, and turns it into a small typed tree of conditions, and that into Go closures.
//
// The tree is the one form of the policy besides its text: closures are made from it, and so can the
// filters of stores be printed from it. It knows a fragment of Rego:
//
//   - comparisons of text, whole numbers, booleans and null, also where a field may be null
//   - membership in a list of names, in a set literal, in a set that a rule or a comprehension gathers
//   - some element of a list or of a set of names; not; rules and functions of the policy's own
//   - union, intersection and difference of sets of names, their equality, and whether one is empty
//   - count of a list against a number; lower, upper, trim_prefix, trim_suffix, startswith, endswith,
//     contains; the difference of two numbers against a number; object.keys and is_<type> of free JSON
//
// A value inside of free JSON can be missing. In a negation or a comprehension that is inside of the
// fragment only where the text of the policy leaves no doubt what it means; see Residual.Read.
//
// What it promises: a tree holds exactly when the rule it was made from holds, for every input that
// fits the schema. What lies outside of the fragment is an *Unsupported error that names the
// construct; nothing is guessed or left out.
//
// What it never does: evaluate Rego, read a clock, keep anything of one evaluation for the next.
package residual
