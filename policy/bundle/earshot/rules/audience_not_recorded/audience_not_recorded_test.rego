package earshot.rules.audience_not_recorded_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.audience_not_recorded

test_audience_not_recorded[name] if {
	some name, case in {
		"recorded": {
			"given": {},
			"want": set(),
		},
		"inferred": {
			"given": {"candidate": {"audience_basis": "inferred"}},
			"want": {"audience_not_recorded"},
		},
		"empty": {
			"given": {"candidate": {"audience_basis": ""}},
			"want": {"audience_not_recorded"},
		},
	}
	every form in fixture.forms(case.given) {
		audience_not_recorded.forbid == case.want with input as form
	}
}
