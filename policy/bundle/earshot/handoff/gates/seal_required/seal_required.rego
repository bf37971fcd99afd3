package earshot.handoff.gates.seal_required

import data.earshot.handoff.elements

# METADATA
# title: Seal required
# description: The settings ask for a seal, and the element is not the agent's own and has none.
# custom:
#   code: seal_required
forbid contains rego.metadata.rule().custom.code if {
	not data.earshot.settings.seal_required == false
	not elements.own
	input.element.seal == "absent"
}
