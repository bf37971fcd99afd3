package earshot.handoff.gates.digest_mismatch

# METADATA
# title: Seal of other content
# description: The seal of the element is good, but it seals other content.
# custom:
#   code: digest_mismatch
forbid contains rego.metadata.rule().custom.code if {
	input.element.seal == "other_content"
}
