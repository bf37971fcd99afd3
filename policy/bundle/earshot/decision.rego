# The one question this policy answers: may this candidate enter the context of this turn?
#
# Where to change it:
#   settings/data.json        numbers and lists, such as the names that identify nobody
#   rules/<claim>/            one folder a rule: <claim>.rego and its test. A new folder with a set
#                             called permit or forbid is a new rule; nothing else needs an edit
#   obligations/<claim>/      what must be done with an admitted item: a set called oblige
#   viewers/                  when it is certain who is listening
#   audiences/, agents/       words that several rules use
#   handoff/                  what one agent may inherit from another: a decision of its own
#   ../local/<claim>/         rules of your own, which can only forbid
#
# Try it:  opa check --strict -s policy/schemas policy/bundle
#          opa test policy/bundle
#
# METADATA
# scope: subpackages
# title: Earshot
# description: >-
#   An item enters a context only if everyone who is listening was present when it was recorded.
# schemas:
#   - input: schema.input
#   - data.earshot.settings: schema.settings
package earshot

# METADATA
# title: Decision
# description: >-
#   The answer for one candidate: admit, the permits and the forbids that hold, and the obligations
#   that come with an admission. Every candidate gets an answer.
# entrypoint: true
decision := {
	"admit": _admit,
	"permits": _permits,
	"forbids": _forbids,
	"obligations": _obligations,
}

_permits contains code if {
	not _malformed
	some code in data.earshot.rules[_].permit
}

# The labels of a malformed candidate cannot be believed, so only its form is judged.
_forbids contains code if {
	not _malformed
	some code in data.earshot.rules[_].forbid
}

_forbids contains code if {
	some code in data.earshot.rules.malformed.forbid
}

_forbids contains code if {
	some code in data.earshot.rules.unknown_field.forbid
}

# A code of any type prints, so that a slip in a local rule still forbids.
_forbids contains sprintf("local:%v", [code]) if {
	not _malformed
	some code in data.local[_].forbid
}

_obligations contains code if {
	_admit
	some code in data.earshot.obligations[_].oblige
}

default _admit := false

_admit if {
	count(_permits) > 0
	count(_forbids) == 0
}

_malformed if some _ in data.earshot.rules.malformed.forbid
