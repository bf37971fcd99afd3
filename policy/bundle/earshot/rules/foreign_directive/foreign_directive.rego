package earshot.rules.foreign_directive

import data.earshot.agents

# METADATA
# title: Another agent's directive
# description: >-
#   The item is a directive that another agent introduced. A directive binds only the agent it was
#   given to.
# custom:
#   code: foreign_directive
forbid contains rego.metadata.rule().custom.code if {
	agents.foreign
	input.candidate.kind == "directive"
}
