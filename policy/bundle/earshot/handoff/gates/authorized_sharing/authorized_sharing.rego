package earshot.handoff.gates.authorized_sharing

import data.earshot.handoff.elements

# METADATA
# title: Authorised sharing
# description: >-
#   Another agent introduced the element and marked it for sharing, and this agent is authorised to
#   inherit from that one.
# custom:
#   code: authorized_sharing
permit contains rego.metadata.rule().custom.code if {
	elements.foreign
	input.element.shared == true
	input.element.source in input.handoff.authorized_agents
}
