package earshot.rules.tenant_mismatch

import data.earshot.audiences

# METADATA
# title: Another tenant
# description: The item, or something it was derived from, belongs to another tenant than the turn.
# custom:
#   code: tenant_mismatch
forbid contains rego.metadata.rule().custom.code if not _at_home

_at_home if {
	input.candidate.tenant == input.turn.tenant
	not _source_elsewhere
}

# A public item without a tenant is at home everywhere.
_at_home if {
	input.candidate.tenant == ""
	audiences.public
	not _source_elsewhere
}

_source_elsewhere if {
	some source in input.candidate.sources
	not source.tenant in {"", input.turn.tenant}
}
