package local.embargo_test

import data.earshot.fixture_test as fixture
import data.local.embargo

test_embargo[name] if {
	some name, case in {
		"none": {
			"given": {},
			"want": set(),
		},
		"over": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": fixture.now_ns}}},
			"want": set(),
		},
		"not over": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": fixture.now_ns + 1}}},
			"want": {"embargo"},
		},
		"text": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": "2026-12-24"}}},
			"want": {"embargo"},
		},
		"null": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": null}}},
			"want": {"embargo"},
		},
		"false": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": false}}},
			"want": {"embargo"},
		},
		"a list": {
			"given": {"candidate": {"attributes": {"embargo_until_ns": [0]}}},
			"want": {"embargo"},
		},
		"some other attribute": {
			"given": {"candidate": {"attributes": {"embargo": true}}},
			"want": set(),
		},
	}
	every form in fixture.forms(case.given) {
		embargo.forbid == case.want with input as form
	}
}
