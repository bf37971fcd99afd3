package earshot.rules.seal_invalid_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.seal_invalid

test_seal_invalid[name] if {
	some name, case in {
		"absent": {
			"given": {"candidate": {"seal": "absent"}},
			"want": set(),
		},
		"valid": {
			"given": {"candidate": {"seal": "valid"}},
			"want": set(),
		},
		"other content": {
			"given": {"candidate": {"seal": "other_content"}},
			"want": set(),
		},
		"invalid": {
			"given": {"candidate": {"seal": "invalid"}},
			"want": {"seal_invalid"},
		},
		"a word never heard of": {
			"given": {"candidate": {"seal": "probably"}},
			"want": {"seal_invalid"},
		},
	}
	every form in fixture.forms(case.given) {
		seal_invalid.forbid == case.want with input as form
	}
}
