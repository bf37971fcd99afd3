package earshot.rules.derived_without_sources

# METADATA
# title: Derived from nothing
# description: The item is a summary, a node or an edge, and does not say what it was derived from.
# custom:
#   code: derived_without_sources
forbid contains rego.metadata.rule().custom.code if {
	input.candidate.kind in {"edge", "node", "summary"}
	count(input.candidate.sources) == 0
}
