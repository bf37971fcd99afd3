package earshot.rules.expired_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.expired

test_expired[name] if {
	some name, case in {
		"never": {
			"given": {},
			"want": set(),
		},
		"later": {
			"given": {"candidate": {"expires_at_ns": fixture.now_ns + 1}},
			"want": set(),
		},
		"now": {
			"given": {"candidate": {"expires_at_ns": fixture.now_ns}},
			"want": {"expired"},
		},
		"past": {
			"given": {"candidate": {"expires_at_ns": fixture.now_ns - 1}},
			"want": {"expired"},
		},
		"a source has": {
			"given": {"candidate": {"sources": [fixture.source({}), fixture.source({"expires_at_ns": 0})]}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		expired.forbid == case.want with input as form
	}
}
