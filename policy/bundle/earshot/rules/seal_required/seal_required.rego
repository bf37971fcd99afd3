package earshot.rules.seal_required

# METADATA
# title: Seal required
# description: The settings ask for a seal, and the item has none.
# custom:
#   code: seal_required
forbid contains rego.metadata.rule().custom.code if {
	not data.earshot.settings.seal_required == false
	input.candidate.seal == "absent"
}
