package earshot.handoff.gates.own_element

import data.earshot.handoff.elements

# METADATA
# title: Own element
# description: The agent that inherits introduced the element itself.
# custom:
#   code: own_element
permit contains rego.metadata.rule().custom.code if elements.own
