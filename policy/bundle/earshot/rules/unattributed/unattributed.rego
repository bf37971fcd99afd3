package earshot.rules.unattributed

# METADATA
# title: No attribution
# description: >-
#   The item does not name the agent that introduced it, although attribution is required or the
#   item may be confidential.
# custom:
#   code: unattributed
forbid contains rego.metadata.rule().custom.code if {
	input.candidate.agent == ""
	_attribution_needed
}

_attribution_needed if not input.inheritance.require_attribution == false

_attribution_needed if not input.candidate.confidential == false
