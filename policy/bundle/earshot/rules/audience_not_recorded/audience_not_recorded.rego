package earshot.rules.audience_not_recorded

# METADATA
# title: Audience not recorded
# description: The audience was not recorded with the item but guessed or filled in afterwards.
# custom:
#   code: audience_not_recorded
forbid contains rego.metadata.rule().custom.code if {
	not input.candidate.audience_basis == "recorded"
}
