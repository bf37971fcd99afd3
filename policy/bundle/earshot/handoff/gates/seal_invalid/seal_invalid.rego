package earshot.handoff.gates.seal_invalid

# METADATA
# title: Seal invalid
# description: The seal of the element does not verify, or it speaks of other labels.
# custom:
#   code: seal_invalid
forbid contains rego.metadata.rule().custom.code if not _seal_stands

_seal_stands if input.element.seal in {"absent", "other_content", "valid"}
