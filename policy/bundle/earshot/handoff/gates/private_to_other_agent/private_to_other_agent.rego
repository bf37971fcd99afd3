package earshot.handoff.gates.private_to_other_agent

# METADATA
# title: Private to another agent
# description: >-
#   The boundary keeps the element, or what it was derived from, for other agents than the one that
#   inherits.
# custom:
#   code: private_to_other_agent
forbid contains rego.metadata.rule().custom.code if {
	some owners in _owners
	count(owners) > 0
	not input.handoff.agent in owners
}

_owners contains input.element.private_to

_owners contains source.private_to if some source in input.element.sources
