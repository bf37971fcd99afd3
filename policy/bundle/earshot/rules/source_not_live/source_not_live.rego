package earshot.rules.source_not_live

# METADATA
# title: Source not live
# description: Something the item was derived from was taken out of use or has expired.
# custom:
#   code: source_not_live
forbid contains rego.metadata.rule().custom.code if {
	some source in input.candidate.sources
	not _live(source)
}

_live(source) if {
	source.state == "live"
	source.expires_at_ns == null
}

_live(source) if {
	source.state == "live"
	source.expires_at_ns > input.now_ns
}
