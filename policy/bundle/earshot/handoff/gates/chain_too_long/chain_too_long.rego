package earshot.handoff.gates.chain_too_long

import data.earshot.handoff.elements

# METADATA
# title: Chain too long
# description: >-
#   The element of another agent, or a source of another agent, went through more hands than the settings
#   allow. A summary does not begin the count anew: who made it is one of the hands of its sources.
# custom:
#   code: chain_too_long
forbid contains rego.metadata.rule().custom.code if {
	some length in _lengths
	not length <= data.earshot.settings.handoff_chain_limit
}

_lengths contains count(input.element.inherited_via) if not elements.own

_lengths contains count(source.inherited_via) if {
	elements.own
	some source in elements.foreign_sources
}

# Whoever derived the element had the source in hand, unless that agent introduced it too.
_lengths contains sum([count(source.inherited_via), count(makers), count(input.element.inherited_via)]) if {
	not elements.own
	some source in elements.foreign_sources
	makers := {input.element.source} - {source.source}
}
