package earshot.handoff.gates.unshared_from_other_agent

import data.earshot.handoff.elements

# METADATA
# title: Not shared by another agent
# description: Another agent introduced the element and did not mark it for sharing.
# custom:
#   code: unshared_from_other_agent
forbid contains rego.metadata.rule().custom.code if {
	elements.foreign
	not input.element.shared == true
}
