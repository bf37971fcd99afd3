package earshot.rules.unknown_field_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.unknown_field

test_unknown_field[name] if {
	some name, case in {
		"well formed": {
			"given": {},
			"want": set(),
		},
		"unknown field": {
			"given": {"candidate": {"faults": {"unknown_field"}}},
			"want": {"unknown_field"},
		},
		"both": {
			"given": {"candidate": {"faults": {"malformed", "unknown_field"}}},
			"want": {"unknown_field"},
		},
		"malformed": {
			"given": {"candidate": {"faults": {"malformed"}}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		unknown_field.forbid == case.want with input as form
	}
}
