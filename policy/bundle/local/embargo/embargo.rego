package local.embargo

# METADATA
# title: Under embargo
# description: >-
#   The item carries the attribute embargo_until_ns, in nanoseconds since 1970 in UTC, and that time
#   has not come or is not a number. An item without the attribute is not concerned.
# custom:
#   code: embargo
forbid contains rego.metadata.rule().custom.code if {
	"embargo_until_ns" in object.keys(input.candidate.attributes)
	not _lifted
}

# Text sorts after every number, so the type must be asked for.
_lifted if {
	is_number(input.candidate.attributes.embargo_until_ns)
	input.candidate.attributes.embargo_until_ns <= input.now_ns
}
