package earshot.selfcheck_test

import data.earshot.fixture_test as fixture
import data.earshot.selfcheck

# The gates of a hand-off are left out: to look at them here runs their tests once more. The program
# looks at them whenever it loads a bundle.
test_bundle_in_order if {
	selfcheck.problems == set() with data.earshot.handoff.gates as {}
}

test_settings[name] if {
	some name, case in {
		"in order": {"given": {}, "want": set()},
		"placeholders: text": {
			"given": {"placeholders": "unknown"},
			"want": {"settings: placeholders must be a list of names"},
		},
		"placeholders: a number in the list": {
			"given": {"placeholders": ["unknown", 7]},
			"want": {"settings: placeholders must be a list of names"},
		},
		"placeholders: an empty name": {
			"given": {"placeholders": [""]},
			"want": {"settings: placeholders must be a list of names"},
		},
		"placeholders: capitals": {
			"given": {"placeholders": ["Guest"]},
			"want": {"settings: placeholder Guest must be in lower case and without user: in front"},
		},
		"placeholders: prefix": {
			"given": {"placeholders": ["user:guest"]},
			"want": {"settings: placeholder user:guest must be in lower case and without user: in front"},
		},
		"placeholders: none": {"given": {"placeholders": []}, "want": set()},
		"internal_bots: null": {
			"given": {"internal_bots": null},
			"want": {"settings: internal_bots must be a list of names"},
		},
		"revoked: object": {
			"given": {"revoked": {"user:ann": "today"}},
			"want": {"settings: revoked must be a list of names"},
		},
		"age: text": {
			"given": {"evidence_max_age_s": "300"},
			"want": {"settings: evidence_max_age_s must be a whole number from 1 to 86400"},
		},
		"age: too little": {
			"given": {"evidence_max_age_s": 0},
			"want": {"settings: evidence_max_age_s must be a whole number from 1 to 86400"},
		},
		"age: too much": {
			"given": {"evidence_max_age_s": 86401},
			"want": {"settings: evidence_max_age_s must be a whole number from 1 to 86400"},
		},
		"age: a fraction": {
			"given": {"evidence_max_age_s": 0.5},
			"want": {"settings: evidence_max_age_s must be a whole number from 1 to 86400"},
		},
		"age: bounds": {"given": {"evidence_max_age_s": 86400, "clock_skew_s": 0}, "want": set()},
		"skew: negative": {
			"given": {"clock_skew_s": -1},
			"want": {"settings: clock_skew_s must be a whole number from 0 to 3600"},
		},
		"skew: a fraction": {
			"given": {"clock_skew_s": 30.5},
			"want": {"settings: clock_skew_s must be a whole number from 0 to 3600"},
		},
		"chain: bounds": {"given": {"handoff_chain_limit": 0}, "want": set()},
		"chain: too long": {
			"given": {"handoff_chain_limit": 33},
			"want": {"settings: handoff_chain_limit must be a whole number from 0 to 32"},
		},
		"overlap: bounds": {"given": {"overlap_fingerprints": 1000}, "want": set()},
		"overlap: none": {
			"given": {"overlap_fingerprints": 0},
			"want": {"settings: overlap_fingerprints must be a whole number from 1 to 1000"},
		},
		"inherit_from: list": {
			"given": {"inherit_from": [["agent:researcher"]]},
			"want": {"settings: inherit_from must have a list of names for each agent"},
		},
		"inherit_from: text for an agent": {
			"given": {"inherit_from": {"agent:scribe": "agent:researcher"}},
			"want": {"settings: inherit_from must have a list of names for each agent"},
		},
		"inherit_from: lists": {
			"given": {"inherit_from": {"agent:scribe": ["agent:researcher"], "agent:intake": []}},
			"want": set(),
		},
		"seal_required: text": {
			"given": {"seal_required": "yes"},
			"want": {"settings: seal_required must be true or false"},
		},
		"a name that is no setting": {
			"given": {"placeholder": []},
			"want": {"settings: placeholder is not a setting"},
		},
	}
	settings := object.union(fixture.settings, case.given)
	selfcheck.problems == case.want with data.earshot.settings as settings
		with data.earshot.rules as {}
		with data.earshot.obligations as {}
		with data.earshot.handoff.gates as {}
		with data.earshot.handoff.obligations as {}
		with data.local as {}
}

test_missing_setting[key] if {
	some key, _ in fixture.settings
	settings := object.remove(fixture.settings, [key])
	selfcheck.problems == {$"settings: {key} is missing"} with data.earshot.settings as settings
		with data.earshot.rules as {}
		with data.earshot.obligations as {}
		with data.earshot.handoff.gates as {}
		with data.earshot.handoff.obligations as {}
		with data.local as {}
}

test_no_settings[name] if {
	some name, settings in {"empty": {}, "null": null, "a list": []}
	missing := {$"settings: {key} is missing" | some key, _ in fixture.settings}
	selfcheck.problems == missing with data.earshot.settings as settings
		with data.earshot.rules as {}
		with data.earshot.obligations as {}
		with data.earshot.handoff.gates as {}
		with data.earshot.handoff.obligations as {}
		with data.local as {}
}

test_rules[name] if {
	some name, case in {
		"in order": {
			"rules": {"a": {"forbid": set()}, "b": {"permit": {"x"}}, "b_test": {}},
			"obligations": {"c": {"oblige": set()}, "c_test": {}},
			"local": {"d": {"forbid": set(), "other": 1}, "d_test": {}, "lib": {"shared": 1}},
			"want": set(),
		},
		"nothing there": {"rules": {}, "obligations": {}, "local": {}, "want": set()},
		"gates in order": {
			"rules": {},
			"obligations": {},
			"gates": {"a": {"forbid": set()}, "b": {"permit": {"x"}}, "c": {"halt": set()}, "c_test": {}},
			"handoff_obligations": {"d": {"oblige": set()}, "d_test": {}},
			"local": {},
			"want": set(),
		},
		"gates misspelt": {
			"rules": {},
			"obligations": {},
			"gates": {"a": {"halts": set()}, "b": {"forbid": true}},
			"handoff_obligations": {"d": {"forbid": set()}},
			"local": {},
			"want": {
				"earshot/handoff/gates/a must have a set called permit, forbid or halt",
				"earshot/handoff/gates/b must have a set called permit, forbid or halt",
				"earshot/handoff/obligations/d must have a set called oblige",
			},
		},
		"misspelt": {
			"rules": {"a": {"forbids": set()}},
			"obligations": {"c": {"obligation": set()}},
			"local": {"d": {"deny": set()}},
			"want": {
				"earshot/rules/a must have a set called permit or forbid",
				"earshot/obligations/c must have a set called oblige",
				"local/d must have a set called forbid: write forbid contains … if { … }",
			},
		},
		"not a set": {
			"rules": {"a": {"forbid": true}},
			"obligations": {"c": {"oblige": ["x"]}},
			"local": {"d": {"forbid": {"x": true}}},
			"want": {
				"earshot/rules/a must have a set called permit or forbid",
				"earshot/obligations/c must have a set called oblige",
				"local/d must have a set called forbid: write forbid contains … if { … }",
			},
		},
		"a local permit": {
			"rules": {},
			"obligations": {},
			"local": {"d": {"permit": {"x"}}},
			"want": {"local/d must have a set called forbid: write forbid contains … if { … }"},
		},
		"a local rule too deep": {
			"rules": {},
			"obligations": {},
			"local": {"team": {"d": {"forbid": {"x"}}}},
			"want": {"local/team must have a set called forbid: write forbid contains … if { … }"},
		},
	}
	selfcheck.problems == case.want with data.earshot.settings as fixture.settings
		with data.earshot.rules as case.rules
		with data.earshot.obligations as case.obligations
		with data.earshot.handoff.gates as object.get(case, "gates", {})
		with data.earshot.handoff.obligations as object.get(case, "handoff_obligations", {})
		with data.local as case.local
}
