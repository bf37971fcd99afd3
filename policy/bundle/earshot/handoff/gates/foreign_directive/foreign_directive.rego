package earshot.handoff.gates.foreign_directive

import data.earshot.handoff.elements

# METADATA
# title: Another agent's directive
# description: >-
#   The element is a directive that another agent introduced. A directive binds only the agent it was
#   given to.
# custom:
#   code: foreign_directive
forbid contains rego.metadata.rule().custom.code if {
	elements.foreign
	input.element.kind == "directive"
}
