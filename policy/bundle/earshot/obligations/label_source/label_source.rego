package earshot.obligations.label_source

import data.earshot.agents

# METADATA
# title: Label the source
# description: Another agent introduced the item, so the prompt must say which.
# custom:
#   code: label_source
oblige contains rego.metadata.rule().custom.code if agents.foreign
