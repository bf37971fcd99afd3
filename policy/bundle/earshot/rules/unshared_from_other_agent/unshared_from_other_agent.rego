package earshot.rules.unshared_from_other_agent

import data.earshot.agents

# METADATA
# title: Not shared by its agent
# description: Another agent introduced the item and did not mark it for sharing.
# custom:
#   code: unshared_from_other_agent
forbid contains rego.metadata.rule().custom.code if {
	agents.foreign
	not input.candidate.shared == true
}
