package earshot.rules.expired

# METADATA
# title: Expired
# description: The time until which the item may be used has come.
# custom:
#   code: expired
forbid contains rego.metadata.rule().custom.code if not _fresh

_fresh if input.candidate.expires_at_ns == null

_fresh if input.candidate.expires_at_ns > input.now_ns
