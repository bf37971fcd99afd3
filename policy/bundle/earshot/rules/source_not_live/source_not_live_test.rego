package earshot.rules.source_not_live_test

import data.earshot.fixture_test as fixture
import data.earshot.rules.source_not_live

test_source_not_live[name] if {
	some name, case in {
		"no sources": {
			"given": {},
			"want": set(),
		},
		"live": {
			"given": {"candidate": {"sources": [fixture.source({}), fixture.source({})]}},
			"want": set(),
		},
		"erased": {
			"given": {"candidate": {"sources": [fixture.source({}), fixture.source({"state": "erased"})]}},
			"want": {"source_not_live"},
		},
		"expires later": {
			"given": {
				"candidate": {
					"sources": [fixture.source({}), fixture.source({"expires_at_ns": fixture.now_ns + 1})],
				},
			},
			"want": set(),
		},
		"expires now": {
			"given": {
				"candidate": {
					"sources": [fixture.source({}), fixture.source({"expires_at_ns": fixture.now_ns})],
				},
			},
			"want": {"source_not_live"},
		},
		"expired": {
			"given": {
				"candidate": {
					"sources": [fixture.source({}), fixture.source({"expires_at_ns": fixture.now_ns - 1})],
				},
			},
			"want": {"source_not_live"},
		},
		"erased and not yet expired": {
			"given": {
				"candidate": {
					"sources": [
						fixture.source({}),
						fixture.source({"state": "erased", "expires_at_ns": fixture.now_ns + 1}),
					],
				},
			},
			"want": {"source_not_live"},
		},
		"the item itself is not live": {
			"given": {"candidate": {"state": "erased"}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		source_not_live.forbid == case.want with input as form
	}
}
