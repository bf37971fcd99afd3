# The question between agents: may this agent inherit this element of another's context?
#
#   gates/<claim>/         one folder a gate: <claim>.rego and its test. forbid and permit speak of one
#                          element, halt of the hand-off as a whole; a new folder is a new gate
#   obligations/<claim>/   what must be done with an element that passes: a set called oblige
#   elements/              words that several gates use
#
# Where one element is denied, the hand-off halts and no element passes.
#
# METADATA
# scope: subpackages
# title: Hand-offs
# description: >-
#   An agent inherits an element only if it may, and the context only if it may inherit all of it.
# schemas:
#   - input: schema.handoff
#   - data.earshot.settings: schema.settings
package earshot.handoff

# METADATA
# title: Decision on an element
# description: >-
#   The answer for one element: admit, the permits and the forbids that hold, and the obligations
#   that come with an admission. Every element gets an answer.
# entrypoint: true
decision := {
	"admit": _admit,
	"permits": _permits,
	"forbids": _forbids,
	"obligations": _obligations,
}

# METADATA
# title: Halts
# description: The codes for which the hand-off as a whole halts, whatever its elements are.
# scope: document
halts contains code if {
	some code in data.earshot.handoff.gates[_].halt
}

_permits contains code if {
	some code in data.earshot.handoff.gates[_].permit
}

_forbids contains code if {
	some code in data.earshot.handoff.gates[_].forbid
}

_forbids contains code if {
	some code in halts
}

_obligations contains code if {
	_admit
	some code in data.earshot.handoff.obligations[_].oblige
}

default _admit := false

_admit if {
	count(_permits) > 0
	count(_forbids) == 0
}
