package earshot.rules.unknown_field

# METADATA
# title: Unknown field
# description: >-
#   The candidate has a field that the contract does not know, so its meaning cannot be judged.
# custom:
#   code: unknown_field
forbid contains rego.metadata.rule().custom.code if {
	"unknown_field" in input.candidate.faults
}
