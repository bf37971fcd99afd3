package earshot.rules.audience_missing

import data.earshot.audiences

# METADATA
# title: No audience
# description: Nothing says who was present when the item was recorded, so nobody may know it.
# custom:
#   code: audience_missing
forbid contains rego.metadata.rule().custom.code if not audiences.bounded
