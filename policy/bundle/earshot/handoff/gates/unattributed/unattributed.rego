package earshot.handoff.gates.unattributed

import data.earshot.handoff.elements

# METADATA
# title: No attribution
# description: >-
#   The element does not name the agent that introduced it, and where it comes from is not settled
#   otherwise.
# custom:
#   code: unattributed
forbid contains rego.metadata.rule().custom.code if {
	not elements.foreign
	not elements.own
	not elements.origin_settled
}
