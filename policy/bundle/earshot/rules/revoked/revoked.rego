package earshot.rules.revoked

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: Access withdrawn
# description: >-
#   The access of somebody who is listening was withdrawn since the item was recorded, and the item
#   is not public.
# custom:
#   code: revoked
forbid contains rego.metadata.rule().custom.code if {
	not audiences.public
	count(viewers.present & _revoked) > 0
}

_revoked contains name if some name in input.turn.revoked_viewers

_revoked contains name if some name in input.turn.roster.revoked

_revoked contains name if some name in data.earshot.settings.revoked
