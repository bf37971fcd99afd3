package earshot.rules.audience_covers_viewers

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: Everybody listening was present
# description: >-
#   It is certain who is listening, and each of them is on every list that says who may know the
#   item.
# custom:
#   code: audience_covers_viewers
permit contains rego.metadata.rule().custom.code if {
	viewers.known
	audiences.listed
	not audiences.declared_leaves_out
	not audiences.source_leaves_out
}
