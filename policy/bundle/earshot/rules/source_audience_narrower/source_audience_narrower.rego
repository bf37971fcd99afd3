package earshot.rules.source_audience_narrower

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: A source is more private
# description: The item would be for these viewers, but something it was derived from is not.
# custom:
#   code: source_audience_narrower
forbid contains rego.metadata.rule().custom.code if {
	viewers.known
	_declared_would_do
	audiences.source_leaves_out
	not audiences.granted
}

_declared_would_do if input.candidate.audience.kind in {"inherited", "public"}

_declared_would_do if {
	input.candidate.audience.kind == "list"
	not audiences.declared_leaves_out
}

_declared_would_do if {
	input.candidate.audience.kind == "tenant"
	count(input.turn.external_viewers) == 0
}
