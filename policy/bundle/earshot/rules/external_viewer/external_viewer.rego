package earshot.rules.external_viewer

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: An outsider is listening
# description: >-
#   Somebody from outside the tenant is listening, and the item or one of its sources is for the
#   tenant.
# custom:
#   code: external_viewer
forbid contains rego.metadata.rule().custom.code if {
	viewers.known
	audiences.touches_tenant
	some _ in input.turn.external_viewers
}
