package earshot.obligations.label_source_test

import data.earshot.fixture_test as fixture
import data.earshot.obligations.label_source

test_label_source[name] if {
	some name, case in {
		"own": {
			"given": {},
			"want": set(),
		},
		"another agent's": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": {"label_source"},
		},
		"nobody named": {
			"given": {"candidate": {"agent": ""}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		label_source.oblige == case.want with input as form
	}
}
