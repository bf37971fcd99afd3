package earshot.handoff.gates.unattributed

import data.earshot.handoff.elements

# METADATA
# title: No attribution
# description: >-
#   The element does not name the agent that introduced it, and where it comes from is not settled
#   otherwise; or a source of it names no agent.
# custom:
#   code: unattributed
forbid contains rego.metadata.rule().custom.code if _unattributed

_unattributed if {
	not elements.foreign
	not elements.own
	not elements.origin_settled
}

_unattributed if {
	some source in elements.foreign_sources
	source.source == ""
}
