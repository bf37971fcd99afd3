package earshot.rules.malformed_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.malformed

test_malformed[name] if {
	some name, case in {
		"well formed": {
			"given": {},
			"want": set(),
		},
		"malformed": {
			"given": {"candidate": {"faults": {"malformed"}}},
			"want": {"malformed"},
		},
		"both": {
			"given": {"candidate": {"faults": {"malformed", "unknown_field"}}},
			"want": {"malformed"},
		},
		"unknown field": {
			"given": {"candidate": {"faults": {"unknown_field"}}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		malformed.forbid == case.want with input as form
	}
}
