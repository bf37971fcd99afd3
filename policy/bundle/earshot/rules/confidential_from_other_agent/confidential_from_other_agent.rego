package earshot.rules.confidential_from_other_agent

import data.earshot.agents

# METADATA
# title: Confidential to another agent
# description: >-
#   Another agent introduced the item or one of its sources and did not state that it is not
#   confidential. A source of another agent's item that is confidential and names nobody is that agent's.
# custom:
#   code: confidential_from_other_agent
forbid contains rego.metadata.rule().custom.code if {
	not input.inheritance.prohibit_confidential == false
	_confidential_elsewhere
}

_confidential_elsewhere if {
	agents.foreign
	not input.candidate.confidential == false
}

_confidential_elsewhere if {
	some source in input.candidate.sources
	not source.agent in {"", input.turn.agent}
	not source.confidential == false
}

_confidential_elsewhere if {
	agents.foreign
	some source in input.candidate.sources
	source.agent == ""
	source.confidential == true
}
