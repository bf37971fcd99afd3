package earshot.rules.malformed

# METADATA
# title: Malformed
# description: >-
#   A label of the candidate is missing or does not have the form that the contract asks for.
# custom:
#   code: malformed
forbid contains rego.metadata.rule().custom.code if {
	"malformed" in input.candidate.faults
}
