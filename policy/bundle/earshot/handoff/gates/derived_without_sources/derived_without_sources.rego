package earshot.handoff.gates.derived_without_sources

# METADATA
# title: Derived from nothing
# description: The element is a summary, a node or an edge, and does not say what it was derived from.
# custom:
#   code: derived_without_sources
forbid contains rego.metadata.rule().custom.code if {
	input.element.kind in {"edge", "node", "summary"}
	count(input.element.sources) == 0
}
