package earshot.rules.digest_mismatch

# METADATA
# title: Seal of other content
# description: The seal of the item is good, but it seals other content.
# custom:
#   code: digest_mismatch
forbid contains rego.metadata.rule().custom.code if {
	input.candidate.seal == "other_content"
}
