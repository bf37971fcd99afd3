package earshot.rules.granted_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.granted

test_granted[name] if {
	some name, case in {
		"exactly these viewers": {
			"given": {"candidate": {"granted_viewers": {"user:ann", "user:ben"}}},
			"want": {"granted"},
		},
		"no grant": {
			"given": {},
			"want": set(),
		},
		"a grant to fewer": {
			"given": {"candidate": {"granted_viewers": {"user:ann"}}},
			"want": set(),
		},
		"a grant to more": {
			"given": {"candidate": {"granted_viewers": {"user:ann", "user:ben", "user:cat"}}},
			"want": set(),
		},
		"viewers not authenticated": {
			"given": {
				"turn": {"viewers_basis": "model"},
				"candidate": {"granted_viewers": {"user:ann", "user:ben"}},
			},
			"want": set(),
		},
		"no viewers and no grant": {
			"given": {"turn": {"viewers": set()}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		granted.permit == case.want with input as form
	}
}
