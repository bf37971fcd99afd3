package earshot.handoff.gates.digest_mismatch_test

import data.earshot.handoff.fixture_test as fixture
import data.earshot.handoff.gates.digest_mismatch

test_digest_mismatch[name] if {
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
			"want": {"digest_mismatch"},
		},
		"invalid": {
			"given": {"element": {"seal": "invalid"}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		digest_mismatch.forbid == case.want with input as form
	}
}
