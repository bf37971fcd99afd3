package earshot.rules.tenant_wide

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: Tenant-wide
# description: >-
#   The item is for everybody in the tenant, it is certain who is listening, and nobody comes from
#   outside.
# custom:
#   code: tenant_wide
permit contains rego.metadata.rule().custom.code if {
	viewers.known
	count(input.turn.external_viewers) == 0
	audiences.tenant_wide
}
