# METADATA
# title: Viewers
# description: >-
#   Who is listening, and whether that is certain. Nothing here reads the candidate, so that one
#   answer serves a whole turn.
package earshot.viewers

# METADATA
# title: Report
# description: All that is known about the viewers of this turn.
report := {"known": known, "reasons": ambiguous, "present": present}

default known := false

# METADATA
# title: Known
# description: It is certain who is listening. There is then at least one viewer.
known if count(ambiguous) == 0

# METADATA
# title: Present
# description: The viewers who count. Declared internal bots do not.
present := {viewer | some viewer in input.turn.viewers} - bots

# METADATA
# title: Internal bots
# description: >-
#   The principals whom the settings declare to be part of the platform rather than an audience.
bots := {bot | some bot in data.earshot.settings.internal_bots}
