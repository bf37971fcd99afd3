package earshot.handoff.obligations.label_source

import data.earshot.handoff.elements

# METADATA
# title: Label the source
# description: >-
#   The element is of another agent, or a bias of any agent or derived from one, so whoever uses it must
#   be told whose it is.
# custom:
#   code: label_source
oblige contains rego.metadata.rule().custom.code if _source_matters

_source_matters if elements.foreign

_source_matters if input.element.kind == "prior"

_source_matters if {
	some source in input.element.sources
	source.kind == "prior"
}
