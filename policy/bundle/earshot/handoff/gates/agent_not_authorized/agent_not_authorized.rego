package earshot.handoff.gates.agent_not_authorized

import data.earshot.handoff.elements

# METADATA
# title: Agent not authorised
# description: >-
#   Another agent introduced the element or a source of it, or had it in its hands since, and this agent
#   may not inherit from that one.
# custom:
#   code: agent_not_authorized
forbid contains rego.metadata.rule().custom.code if {
	some agent in _agents
	not _authorized(agent)
}

_agents contains input.element.source if elements.foreign

_agents contains source.source if {
	some source in elements.foreign_sources
	source.source != ""
}

_agents contains hand if some hand in elements.hands

_authorized(agent) if {
	agent in input.handoff.authorized_agents
	not _outside_settings(agent)
}

# An agent without an entry in the settings is not limited by them.
_outside_settings(agent) if {
	allowed := data.earshot.settings.inherit_from[input.handoff.agent]
	not agent in allowed
}
