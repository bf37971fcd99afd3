package earshot.decision_test

import data.earshot
import data.earshot.fixture_test as fixture

test_decision[name] if {
	some name, case in {
		"own item, everybody was present": {
			"given": {},
			"want": {
				"admit": true,
				"permits": {"audience_covers_viewers"},
				"forbids": set(),
				"obligations": set(),
			},
		},
		"another agent's item, public and shared": {
			"given": {"candidate": {
				"audience": fixture.everybody,
				"agent": "agent:researcher",
				"shared": true,
				"confidential": false,
			}},
			"want": {
				"admit": true,
				"permits": {"public"},
				"forbids": set(),
				"obligations": {"label_source"},
			},
		},
		"a permit and a forbid": {
			"given": {"candidate": {"agent": "agent:researcher", "confidential": false}},
			"want": {
				"admit": false,
				"permits": {"audience_covers_viewers"},
				"forbids": {"unshared_from_other_agent"},
				"obligations": set(),
			},
		},
		"neither permit nor rest": {
			"given": fixture.over(fixture.nobody, []),
			"want": {
				"admit": false,
				"permits": set(),
				"forbids": {"audience_missing"},
				"obligations": set(),
			},
		},
		"several forbids": {
			"given": {"candidate": {"state": "erased", "audience_basis": "model", "agent": ""}},
			"want": {
				"admit": false,
				"permits": {"audience_covers_viewers"},
				"forbids": {"audience_not_recorded", "item_not_live", "unattributed"},
				"obligations": set(),
			},
		},
		"two permits": {
			"given": {"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			"want": {
				"admit": true,
				"permits": {"audience_covers_viewers", "granted"},
				"forbids": set(),
				"obligations": set(),
			},
		},
		"a grant widens": {
			"given": object.union(
				fixture.over(fixture.narrow, [fixture.narrow]),
				{"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			),
			"want": {
				"admit": true,
				"permits": {"granted"},
				"forbids": set(),
				"obligations": set(),
			},
		},
		"malformed: nothing else is believed": {
			"given": {"candidate": {
				"faults": {"malformed", "unknown_field"},
				"audience": fixture.nobody,
				"state": "erased",
				"attributes": {"embargo_until_ns": "later"},
			}},
			"want": {
				"admit": false,
				"permits": set(),
				"forbids": {"malformed", "unknown_field"},
				"obligations": set(),
			},
		},
		"malformed: no permit counts": {
			"given": {"candidate": {"faults": {"malformed"}}},
			"want": {
				"admit": false,
				"permits": set(),
				"forbids": {"malformed"},
				"obligations": set(),
			},
		},
		"an unknown field: the rest is judged": {
			"given": {"candidate": {"faults": {"unknown_field"}, "state": "erased"}},
			"want": {
				"admit": false,
				"permits": {"audience_covers_viewers"},
				"forbids": {"item_not_live", "unknown_field"},
				"obligations": set(),
			},
		},
		"a local rule": {
			"given": {},
			"local": {"embargo": {"forbid": {"embargo"}}},
			"want": {
				"admit": false,
				"permits": {"audience_covers_viewers"},
				"forbids": {"local:embargo"},
				"obligations": set(),
			},
		},
	}
	every form in fixture.forms(case.given) {
		earshot.decision == case.want with input as form
			with data.local as object.get(case, "local", {})
			with data.earshot.settings as fixture.settings
	}
}

test_local_rules[name] if {
	some name, case in {
		"none": {"given": {}, "want": set()},
		"silent": {"given": {"a": {"forbid": set()}}, "want": set()},
		"two": {"given": {"a": {"forbid": {"x"}}, "b": {"forbid": {"y"}}}, "want": {"local:x", "local:y"}},
		"the code of a core rule": {"given": {"a": {"forbid": {"public"}}}, "want": {"local:public"}},
		"a code that is no text": {"given": {"a": {"forbid": {7}}}, "want": {"local:7"}},
		"a permit": {"given": {"a": {"permit": {"x"}}}, "want": set()},
	}
	every form in fixture.forms({}) {
		decision := earshot.decision with input as form
			with data.local as case.given
			with data.earshot.settings as fixture.settings
		decision.forbids == case.want
		decision.permits == {"audience_covers_viewers"}
	}
}

# Without a permit nothing is admitted, whatever else is silent.
test_deny_by_default if {
	every form in fixture.forms({}) {
		decision := earshot.decision with input as form with data.earshot.rules as {} with data.local as {}
		decision == {"admit": false, "permits": set(), "forbids": set(), "obligations": set()}
	}
}

# A question without input is a deny like any other.
test_no_input if {
	decision := earshot.decision with input as {}
	not decision.admit
	decision.permits == set()
}

# Every declared audience over every source gives a permit or a forbid, never both or neither.
test_audience_rules_are_total[$"{declared.kind} over {above.kind}, {basis}"] if {
	some declared in _audiences
	some above in _audiences
	some basis in {"platform", "guessed"}
	given := object.union(fixture.over(declared, [above]), {"turn": {"viewers_basis": basis}})
	every form in fixture.forms(given) {
		decision := earshot.decision with input as form
			with data.local as {}
			with data.earshot.settings as fixture.settings
		decision.admit == _silent(decision.forbids)
		decision.admit == _speaks(decision.permits)
	}
}

_audiences := {
	fixture.everybody,
	fixture.tenant,
	fixture.nobody,
	fixture.inherited,
	fixture.narrow,
	fixture.covering,
}

_silent(codes) := count(codes) == 0

_speaks(codes) := count(codes) > 0
