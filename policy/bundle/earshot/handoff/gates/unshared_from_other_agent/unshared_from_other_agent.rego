package earshot.handoff.gates.unshared_from_other_agent

import data.earshot.handoff.elements

# METADATA
# title: Not shared by another agent
# description: Another agent introduced the element, or what it was derived from, and did not mark it for sharing.
# custom:
#   code: unshared_from_other_agent
forbid contains rego.metadata.rule().custom.code if _kept

_kept if {
	elements.foreign
	not input.element.shared == true
}

_kept if {
	some source in elements.foreign_sources
	not source.shared == true
}
