package earshot.rules.digest_mismatch_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.digest_mismatch

test_digest_mismatch[name] if {
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
			"want": {"digest_mismatch"},
		},
		"invalid": {
			"given": {"candidate": {"seal": "invalid"}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		digest_mismatch.forbid == case.want with input as form
	}
}
