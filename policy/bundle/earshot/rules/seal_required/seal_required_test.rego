package earshot.rules.seal_required_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.seal_required

test_seal_required[name] if {
	some name, case in {
		"absent and not asked for": {
			"given": {"candidate": {"seal": "absent"}},
			"want": set(),
			"settings": {},
		},
		"absent": {
			"given": {"candidate": {"seal": "absent"}},
			"want": {"seal_required"},
			"settings": {"seal_required": true},
		},
		"valid": {
			"given": {"candidate": {"seal": "valid"}},
			"want": set(),
			"settings": {"seal_required": true},
		},
		"invalid": {
			"given": {"candidate": {"seal": "invalid"}},
			"want": set(),
			"settings": {"seal_required": true},
		},
	}
	settings := object.union(fixture.settings, case.settings)
	every form in fixture.forms(case.given) {
		seal_required.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
