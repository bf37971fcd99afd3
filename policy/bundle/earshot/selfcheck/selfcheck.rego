# METADATA
# title: Self-check
# description: >-
#   What is wrong with the bundle itself. It is asked when a bundle is loaded, and a bundle with a
#   problem is refused: a setting of the wrong type, or a rule under a misspelt name, would hold
#   back nothing.
package earshot.selfcheck

# METADATA
# title: Problems
# description: Sentences for the policy author. There are none when the bundle is in order.
# scope: document
problems contains sprintf("settings: %s is missing", [key]) if {
	some key in _known_settings
	not key in object.keys(_settings)
}

problems contains sprintf("settings: %s is not a setting", [key]) if {
	some key in object.keys(_settings)
	not key in _known_settings
}

problems contains sprintf("settings: %s must be a list of names", [key]) if {
	some key in {"internal_bots", "placeholders", "revoked"}
	value := _settings[key]
	not _names(value)
}

problems contains sprintf("settings: placeholder %v must be in lower case and without user: in front", [name]) if {
	some name in _settings.placeholders
	is_string(name)
	not trim_prefix(lower(name), "user:") == name
}

problems contains sprintf("settings: %s must be a whole number from %d to %d", [key, least, most]) if {
	some key, [least, most] in {
		"clock_skew_s": [0, 3600],
		"evidence_max_age_s": [1, 86400],
		"handoff_chain_limit": [0, 32],
		"overlap_fingerprints": [1, 1000],
	}
	value := _settings[key]
	not _whole(value, least, most)
}

problems contains "settings: inherit_from must have a list of names for each agent" if {
	value := _settings.inherit_from
	not _names_by_agent(value)
}

problems contains "settings: seal_required must be true or false" if {
	value := _settings.seal_required
	not is_boolean(value)
}

problems contains sprintf("earshot/rules/%s must have a set called permit or forbid", [claim]) if {
	some claim, rule in data.earshot.rules
	not endswith(claim, "_test")
	not _has_set(rule, {"forbid", "permit"})
}

problems contains sprintf("earshot/obligations/%s must have a set called oblige", [claim]) if {
	some claim, rule in data.earshot.obligations
	not endswith(claim, "_test")
	not _has_set(rule, {"oblige"})
}

problems contains sprintf("earshot/handoff/gates/%s must have a set called permit, forbid or halt", [claim]) if {
	some claim, gate in data.earshot.handoff.gates
	not endswith(claim, "_test")
	not _has_set(gate, {"forbid", "halt", "permit"})
}

problems contains sprintf("earshot/handoff/obligations/%s must have a set called oblige", [claim]) if {
	some claim, rule in data.earshot.handoff.obligations
	not endswith(claim, "_test")
	not _has_set(rule, {"oblige"})
}

problems contains sprintf("local/%s must have a set called forbid: write forbid contains … if { … }", [claim]) if {
	some claim, rule in data.local
	not endswith(claim, "_test")
	claim != "lib"
	not _has_set(rule, {"forbid"})
}

_known_settings := {
	"clock_skew_s",
	"evidence_max_age_s",
	"handoff_chain_limit",
	"inherit_from",
	"internal_bots",
	"overlap_fingerprints",
	"placeholders",
	"revoked",
	"seal_required",
}

_settings := data.earshot.settings if {
	is_object(data.earshot.settings)
} else := {}

_names(list) if {
	is_array(list)
	every name in list {
		is_string(name)
		name != ""
	}
}

_names_by_agent(map) if {
	is_object(map)
	every list in map {
		_names(list)
	}
}

_whole(number, least, most) if {
	is_number(number)
	number >= least
	number <= most
	floor(number) == number
}

_has_set(rule, names) if {
	some name in names
	is_set(rule[name])
}
