# Rules of your own. A folder here is one rule, and it can only forbid: what it says is reported as
# local:<code>, beside the reasons of the rules that ship with Earshot. embargo/ is an example.
#
#   1. Copy embargo/ to a folder with the name of your claim, and rename both files and packages.
#   2. Put code, title and description into the METADATA. They are shown to whoever asks why.
#   3. Write what must hold for the item to pass, and forbid where that is missing. A forbid written
#      the other way round says nothing when a value is absent or of the wrong type.
#   4. Run  pdp check DIR  and  pdp test DIR  with the folder that holds local/
#
# Functions that several of your rules share go into package local.lib.
#
# What a rule can read is in policy/schemas/input.json; a misspelt name fails the check. Free values
# from the caller are in input.turn.attributes and input.candidate.attributes: expect anything there.
# Lists of names are sorted and without repetitions, and an audience is {"kind", "members"}.
#
# METADATA
# scope: subpackages
# title: Local rules
# description: Rules that this installation adds.
# schemas:
#   - input: schema.input
#   - data.earshot.settings: schema.settings
package local
