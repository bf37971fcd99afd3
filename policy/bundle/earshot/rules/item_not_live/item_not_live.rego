package earshot.rules.item_not_live

# METADATA
# title: Item not live
# description: The item was erased, superseded, quarantined or otherwise taken out of use.
# custom:
#   code: item_not_live
forbid contains rego.metadata.rule().custom.code if {
	not input.candidate.state == "live"
}
