package earshot.rules.viewer_not_in_audience

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: A viewer was not present
# description: Somebody who is listening was not present when the item was recorded.
# custom:
#   code: viewer_not_in_audience
forbid contains rego.metadata.rule().custom.code if {
	viewers.known
	audiences.declared_leaves_out
	not audiences.granted
}
