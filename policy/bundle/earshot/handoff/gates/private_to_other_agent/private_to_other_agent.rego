package earshot.handoff.gates.private_to_other_agent

# METADATA
# title: Private to another agent
# description: The boundary keeps the element for other agents than the one that inherits.
# custom:
#   code: private_to_other_agent
forbid contains rego.metadata.rule().custom.code if {
	count(input.element.private_to) > 0
	not input.handoff.agent in input.element.private_to
}
