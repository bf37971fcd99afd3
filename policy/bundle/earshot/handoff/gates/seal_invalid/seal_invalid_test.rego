package earshot.handoff.gates.seal_invalid_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.seal_invalid

test_seal_invalid[name] if {
	some name, case in {
		"absent": {
			"given": {"element": {"seal": "absent"}},
			"want": set(),
		},
		"valid": {
			"given": {"element": {"seal": "valid"}},
			"want": set(),
		},
		"other content": {
			"given": {"element": {"seal": "other_content"}},
			"want": set(),
		},
		"invalid": {
			"given": {"element": {"seal": "invalid"}},
			"want": {"seal_invalid"},
		},
		"a word never heard of": {
			"given": {"element": {"seal": "probably"}},
			"want": {"seal_invalid"},
		},
	}
	every form in fixture.forms(case.given) {
		seal_invalid.forbid == case.want with input as form
	}
}
