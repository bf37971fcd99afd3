package earshot.handoff.gates.single_origin

import data.earshot.handoff.elements

# METADATA
# title: Single origin
# description: The element names no source, none is asked for, and there is only one it can come from.
# custom:
#   code: single_origin
permit contains rego.metadata.rule().custom.code if elements.origin_settled
