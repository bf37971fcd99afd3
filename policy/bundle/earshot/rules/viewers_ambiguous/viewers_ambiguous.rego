package earshot.rules.viewers_ambiguous

import data.earshot.audiences
import data.earshot.viewers

# METADATA
# title: Viewers uncertain
# description: It is not certain who is listening, and the item is not public.
# custom:
#   code: viewers_ambiguous
forbid contains rego.metadata.rule().custom.code if {
	not viewers.known
	not audiences.public
}
