package earshot.handoff.gates.confidential_from_other_agent

import data.earshot.handoff.elements

# METADATA
# title: Confidential to another agent
# description: >-
#   Another agent introduced the element, or what it was derived from, and did not state that it is not
#   confidential, and nothing confidential may pass.
# custom:
#   code: confidential_from_other_agent
forbid contains rego.metadata.rule().custom.code if {
	not input.handoff.prohibit_confidential == false
	_kept
}

_kept if {
	elements.foreign
	not input.element.confidential == false
}

_kept if {
	some source in elements.foreign_sources
	not source.confidential == false
}
