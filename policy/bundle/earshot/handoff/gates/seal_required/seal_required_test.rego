package earshot.handoff.gates.seal_required_test

import data.earshot.fixture_test as decisions
import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.seal_required

test_seal_required[name] if {
	some name, case in {
		"absent and not asked for": {
			"given": {"element": {}},
			"want": set(),
			"settings": {},
		},
		"absent": {
			"given": {"element": {}},
			"want": {"seal_required"},
			"settings": {"seal_required": true},
		},
		"nobody's": {
			"given": fixture.nobodys({}, {}),
			"want": {"seal_required"},
			"settings": {"seal_required": true},
		},
		"own": {
			"given": {"element": {"source": "agent:billing"}},
			"want": set(),
			"settings": {"seal_required": true},
		},
		"valid": {
			"given": {"element": {"seal": "valid"}},
			"want": set(),
			"settings": {"seal_required": true},
		},
		"invalid": {
			"given": {"element": {"seal": "invalid"}},
			"want": set(),
			"settings": {"seal_required": true},
		},
	}
	settings := object.union(decisions.settings, case.settings)
	every form in fixture.forms(case.given) {
		seal_required.forbid == case.want with input as form with data.earshot.settings as settings
	}
}
