package earshot.rules.granted

import data.earshot.audiences

# METADATA
# title: Granted
# description: >-
#   This service holds an explicit grant of this item to exactly the people who are listening.
# custom:
#   code: granted
permit contains rego.metadata.rule().custom.code if audiences.granted
