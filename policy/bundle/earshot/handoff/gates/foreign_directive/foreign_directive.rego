package earshot.handoff.gates.foreign_directive

import data.earshot.handoff.elements

# METADATA
# title: Another agent's directive
# description: >-
#   The element is a directive that another agent introduced, or its own that came back through the hands
#   of others without a digest, or it was derived from a directive by others. A directive binds only the
#   agent it was given to, and only in the words in which it was given.
# custom:
#   code: foreign_directive
forbid contains rego.metadata.rule().custom.code if {
	input.element.kind == "directive"
	_in_words_of_others
}

# METADATA
# title: Derived from another agent's directive
# description: >-
#   The element was derived from a directive, and the agent that inherits did not introduce both, or one
#   of them went through the hands of others on the way.
# custom:
#   code: foreign_directive
forbid contains rego.metadata.rule().custom.code if {
	some source in input.element.sources
	source.kind == "directive"
	not _derived_by_itself(source)
}

_in_words_of_others if elements.foreign

_in_words_of_others if {
	count(elements.others(input.element.inherited_via)) > 0
	input.element.digest == ""
}

_derived_by_itself(source) if {
	elements.own
	source.source == input.handoff.agent
	count(elements.others(source.inherited_via)) == 0
	not _in_words_of_others
}
