package earshot.viewers

# METADATA
# title: No viewers stated
# description: The caller did not say who is listening.
# custom:
#   code: viewers_missing
ambiguous contains rego.metadata.rule().custom.code if {
	not input.turn.viewers_stated == true
}

# METADATA
# title: Nobody is listening
# description: The list of viewers names nobody, or only internal bots.
# custom:
#   code: viewers_empty
ambiguous contains rego.metadata.rule().custom.code if {
	not input.turn.viewers_stated == false
	count(present) == 0
}

# METADATA
# title: A name that identifies nobody
# description: A viewer is called by a name that programs use when they do not know who it is.
# custom:
#   code: viewer_placeholder
ambiguous contains rego.metadata.rule().custom.code if {
	some viewer in input.turn.viewers
	trim_prefix(lower(viewer), "user:") in data.earshot.settings.placeholders
}

# METADATA
# title: Viewers not authenticated
# description: >-
#   The list of viewers does not come from the platform but from a guess, a model or a default.
# custom:
#   code: viewers_not_authenticated
ambiguous contains rego.metadata.rule().custom.code if {
	not input.turn.viewers_basis == "platform"
}

# METADATA
# title: The evidence disagrees
# description: >-
#   An independent reading of who is in the room differs from the stated viewers or from another
#   reading.
# custom:
#   code: evidence_disagrees
ambiguous contains rego.metadata.rule().custom.code if {
	_disagree
}

# METADATA
# title: The evidence is incomplete
# description: >-
#   A reading of who is in the room was cut short, so that somebody may be missing from it.
# custom:
#   code: evidence_incomplete
ambiguous contains rego.metadata.rule().custom.code if {
	some reading in input.turn.evidence
	not reading.complete == true
}

# METADATA
# title: The evidence is stale
# description: >-
#   A reading of who is in the room is older than the settings allow, or lies in the future.
# custom:
#   code: evidence_stale
ambiguous contains rego.metadata.rule().custom.code if {
	some reading in input.turn.evidence
	not _timely(reading)
}

# METADATA
# title: An outsider who is not a viewer
# description: Somebody is named as coming from outside the tenant but not among the viewers.
# custom:
#   code: external_not_viewer
ambiguous contains rego.metadata.rule().custom.code if {
	some viewer in input.turn.external_viewers
	not viewer in present
}

# METADATA
# title: The roster disagrees
# description: This service keeps the roster of the channel, and it differs from the stated viewers.
# custom:
#   code: roster_disagrees
ambiguous contains rego.metadata.rule().custom.code if {
	not input.turn.viewers_stated == false
	not input.turn.roster.kept == false
	_roster != present
}

_disagree if {
	not input.turn.viewers_stated == false
	some reading in input.turn.evidence
	{viewer | some viewer in reading.viewers} - bots != present
}

_disagree if {
	input.turn.viewers_stated == false
	some one in input.turn.evidence
	some other in input.turn.evidence
	{viewer | some viewer in one.viewers} - bots != {viewer | some viewer in other.viewers} - bots
}

_roster := {member | some member in input.turn.roster.members} - bots

_timely(reading) if {
	age_ns := input.now_ns - reading.observed_at_ns
	age_ns <= data.earshot.settings.evidence_max_age_s * 1000000000
	age_ns >= data.earshot.settings.clock_skew_s * -1000000000
}
