package earshot.rules.unattributed_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.unattributed

test_unattributed[name] if {
	some name, case in {
		"attributed": {
			"given": {},
			"want": set(),
		},
		"another agent": {
			"given": {"candidate": {"agent": "agent:researcher"}},
			"want": set(),
		},
		"nobody named": {
			"given": {"candidate": {"agent": "", "confidential": false}},
			"want": {"unattributed"},
		},
		"nobody named and attribution not required": {
			"given": {
				"inheritance": {"require_attribution": false},
				"candidate": {"agent": "", "confidential": false},
			},
			"want": set(),
		},
		"nobody named and confidential": {
			"given": {
				"inheritance": {"require_attribution": false},
				"candidate": {"agent": "", "confidential": true},
			},
			"want": {"unattributed"},
		},
		"nobody named and confidentiality not stated": {
			"given": {"inheritance": {"require_attribution": false}, "candidate": {"agent": ""}},
			"want": {"unattributed"},
		},
	}
	every form in fixture.forms(case.given) {
		unattributed.forbid == case.want with input as form
	}
}
