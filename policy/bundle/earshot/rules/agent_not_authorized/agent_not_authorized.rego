package earshot.rules.agent_not_authorized

import data.earshot.agents

# METADATA
# title: Agent not authorised
# description: Another agent introduced the item, and this turn may not inherit from that agent.
# custom:
#   code: agent_not_authorized
forbid contains rego.metadata.rule().custom.code if {
	agents.foreign
	not _authorized
}

_authorized if {
	input.candidate.agent in input.inheritance.authorized_agents
	not _outside_settings
}

# An agent without an entry in the settings is not limited by them.
_outside_settings if {
	allowed := data.earshot.settings.inherit_from[input.turn.agent]
	not input.candidate.agent in allowed
}
