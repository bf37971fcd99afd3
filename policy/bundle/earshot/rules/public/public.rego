package earshot.rules.public

import data.earshot.audiences

# METADATA
# title: Public
# description: The item and everything it was derived from is public.
# custom:
#   code: public
permit contains rego.metadata.rule().custom.code if audiences.public
