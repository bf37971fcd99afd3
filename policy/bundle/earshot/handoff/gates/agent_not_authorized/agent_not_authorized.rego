package earshot.handoff.gates.agent_not_authorized

import data.earshot.handoff.elements

# METADATA
# title: Agent not authorised
# description: Another agent introduced the element, and this agent may not inherit from that one.
# custom:
#   code: agent_not_authorized
forbid contains rego.metadata.rule().custom.code if {
	elements.foreign
	not _authorized
}

_authorized if {
	input.element.source in input.handoff.authorized_agents
	not _outside_settings
}

# An agent without an entry in the settings is not limited by them.
_outside_settings if {
	allowed := data.earshot.settings.inherit_from[input.handoff.agent]
	not input.element.source in allowed
}
